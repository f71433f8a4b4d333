//! `rules.parquet` holds what parsing a body gives, over the borders of pages and row groups.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow::array::AsArray;
use arrow::datatypes::{Int32Type, Int64Type};
use arrow::ipc::reader::FileReader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::compile::{BodyLimit, compile, specificity};
use robosift::corpus::{CaptureSink, FolderBuild, FolderPlan, Place, RawCapture};
use robosift::parse::{Dialect, Kind, parse_groups};

/// Line, kind, pattern, specificity, names.
type Row = (i64, String, String, i32, Vec<String>);

/// Bodies that are hard in one way each.
fn bodies() -> Vec<Vec<u8>> {
    let names: String = (0..150).map(|name| format!("User-agent: Bot{name}x\n")).collect();
    let rules: String = (0..2_000).map(|rule| format!("Disallow: /{rule}*\n")).collect();
    let many = |first: u32| -> String {
        let rules = (first..first + 50_000).map(|rule| format!("Allow:/{rule}\n"));
        format!("User-agent: *\n{}", rules.collect::<String>())
    };
    let groups: String = (0..3_000)
        .map(|group| format!("User-agent: Bot{}\nAllow: /{group}$\nDisallow: /x\n", group % 7))
        .collect();
    vec![
        [names, rules].concat().into_bytes(),
        many(100_000).into_bytes(),
        many(200_000).into_bytes(),
        groups.into_bytes(),
        many(300_000).into_bytes(),
        many(400_000).into_bytes(),
        b"User-agent: *\nDisallow:\nAllow: /\xFF\xC3\n# no rule\nDisallow: /a%7eb\xE4$c$\nAllow: /x%2\n"
            .to_vec(),
        b"Disallow: /stray\n".to_vec(),
        b"User-agent: 99 bots/2 (x)\nUser-agent: * all\nDisallow: /\n".to_vec(),
        b"User-agent: a\nAllow: /x/index.html\nDisallow: /x/index.htm\n".to_vec(),
        b"User-agent: a\nDisallow: /x$y\nAllow: /z$\nDisallow: q*\n".to_vec(),
        b"User-agent: a\nDisallow: /%e4\n".to_vec(),
        format!("User-agent: a\nDisallow: /{}\n", "x".repeat(20_000)).into_bytes(),
        b"User-agent: a/2\nUser-agent: *\nDisallow: /plain*x$\n".to_vec(),
    ]
}

fn expected(body: &[u8]) -> Vec<Row> {
    let robots = parse_groups(BodyLimit::DEFAULT.cut(body), &Dialect::RFC9309);
    // Longer ones are cut.
    let text =
        |octets: &[u8]| String::from_utf8_lossy(&octets[..octets.len().min(4_096)]).into_owned();
    let mut rows = Vec::new();
    for group in &robots.groups {
        let names = robots.user_agents_of(group).iter().map(|line| match line.is_wildcard() {
            true => "*".to_owned(),
            false => text(line.whole_name()),
        });
        let names: Vec<String> = names.collect();
        for rule in robots.rules_of(group) {
            let kind = if rule.kind == Kind::Allow { "allow" } else { "disallow" };
            rows.push((
                rule.line.into(),
                kind.to_owned(),
                text(rule.pattern),
                specificity(rule.pattern, &Dialect::RFC9309).try_into().unwrap(),
                names.clone(),
            ));
        }
    }
    rows
}

/// Rows of the table by body, and the digest and origins of each.
fn read(file: File) -> BTreeMap<i64, (String, i32, Vec<Row>)> {
    let mut found: BTreeMap<i64, (String, i32, Vec<Row>)> = BTreeMap::new();
    for batch in ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap() {
        let batch = batch.unwrap();
        let column = |name: &str| batch.column_by_name(name).unwrap();
        let text = |name: &str, at| column(name).as_string::<i32>().value(at).to_owned();
        let number = |name: &str, at| column(name).as_primitive::<Int32Type>().value(at);
        for at in 0..batch.num_rows() {
            let id = column("rule_id").as_primitive::<Int64Type>().value(at);
            let line = id & 0xFFFF_FFFF;
            assert_eq!(i64::from(number("line", at)), line);
            let tokens = column("tokens").as_list::<i32>().value(at);
            let tokens = tokens.as_string::<i32>().iter().map(|name| name.unwrap().to_owned());
            let (digest, origins) = (text("digest", at), number("num_origins", at));
            let body = found.entry(id >> 32).or_insert((digest.clone(), origins, Vec::new()));
            assert_eq!((&body.0, body.1), (&digest, origins));
            body.2.push((
                line,
                text("kind", at),
                text("pattern", at),
                number("specificity", at),
                tokens.collect(),
            ));
        }
    }
    found
}

/// Programs are those of each body by itself; gives for how many bodies there is one for all dialects.
fn check_programs(path: &Path, bodies: &[Vec<u8>]) -> usize {
    let mut same = 0;
    let mut rest = bodies.iter();
    for batch in FileReader::try_new(File::open(path).unwrap(), None).unwrap() {
        let batch = batch.unwrap();
        let programs = |name: &str| batch.column_by_name(name).unwrap().as_binary::<i64>().clone();
        for (rfc9309, google) in programs("rfc9309").iter().zip(&programs("google")) {
            let body = rest.next().unwrap();
            let program = |dialect| compile(body, &dialect, BodyLimit::DEFAULT).into_octets();
            assert_eq!(rfc9309.unwrap(), program(Dialect::RFC9309));
            assert_eq!(google.or(rfc9309).unwrap(), program(Dialect::GOOGLE));
            same += usize::from(google.is_none());
        }
    }
    assert!(rest.next().is_none());
    same
}

#[test]
fn rules_are_what_parsing_gives() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("built");
    let plan = FolderPlan {
        output: output.clone(),
        sources: vec!["made".to_owned()],
        limit: BodyLimit::DEFAULT,
        texts: false,
        memory: 64 << 20,
        threads: 1,
        origin_of_captures: String::new(),
    };
    let build = FolderBuild::begin(plan, false).unwrap();
    let mut intake = build.intake();
    intake.begin(0);
    let bodies = bodies();
    for (number, body) in bodies.iter().enumerate() {
        // The first is served by one origin, the second by two, and so on.
        for origin in 0..=number {
            let place = format!("https://{number:02}.example:{}", 1_000 + origin);
            let place = Place::Origin(place.into_bytes());
            let raw = RawCapture { place, body: Some(body.clone()), ..RawCapture::default() };
            intake.add(raw).unwrap();
        }
    }
    intake.end(robosift::corpus::Sentences::default()).unwrap();
    intake.finish().unwrap();
    assert_eq!(build.finish().unwrap().bodies, bodies.len() as u64);
    let found = read(File::open(output.join("rules.parquet")).unwrap());
    let mut num_rules = 0;
    for (number, body) in bodies.iter().enumerate() {
        let wanted = expected(body);
        num_rules += wanted.len();
        let number = i32::try_from(number).unwrap();
        match found.get(&number.into()) {
            None => assert!(wanted.is_empty(), "body {number}"),
            Some((_, origins, rows)) => {
                assert_eq!((*origins, rows.len()), (number + 1, wanted.len()), "body {number}");
                rows.iter().zip(&wanted).for_each(|(row, wanted)| assert_eq!(row, wanted));
            }
        }
    }
    assert_eq!(check_programs(&output.join("programs.arrow"), &bodies), 7);
    let file = File::open(output.join("rules.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert!(reader.metadata().num_row_groups() > 1 && num_rules > 150_000, "{num_rules} rules");
}
