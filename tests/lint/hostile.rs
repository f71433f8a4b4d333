//! Bodies made to be in the way: caps, exact counts, bounded work.

use std::time::{Duration, Instant};

use robosift::compile::BodyLimit;
use robosift::lint::{Code, CodeSet, Options, Severity, lint};

use crate::random::Random;

#[test]
fn counts_are_exact_and_findings_few() {
    let body = "x\n".repeat(250_000);
    let options = Options { most_per_code: 7, ..Options::default() };
    let report = lint(body.as_bytes(), &options);
    assert_eq!(report.count(Code::NotUnderstood), 250_000);
    assert_eq!(report.hidden(Code::NotUnderstood), 249_993);
    assert_eq!(report.num_of(Severity::Warning), 250_000);
    assert_eq!(report.worst(), Some(Severity::Warning));
    assert!(report.findings.iter().all(|finding| finding.line <= 7), "the first ones are kept");
}

#[test]
fn only_wanted_codes_are_found() {
    let body = b"User-agent: *\nDisallow: x\nDisallow: /a\nDisallow: /a\n";
    let only = |codes: CodeSet| {
        let report = lint(body, &Options { codes, ..Options::default() });
        report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(only(CodeSet::of(&[Code::DuplicateRule])), [Code::DuplicateRule]);
    let all = CodeSet::all();
    assert_eq!(only(all.clone()), [Code::UnrootedPattern, Code::DuplicateRule]);
    assert_eq!(only(all.without(&[Code::DuplicateRule])), [Code::UnrootedPattern]);
}

#[test]
fn work_is_bounded() {
    let numbered =
        |count: usize, text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let many_names = numbered(20_000, &|n| format!("User-agent: a{n}\n"));
    let bodies = [
        format!("User-agent: *\n{}", numbered(20_000, &|n| format!("Disallow: /*{n}\n"))),
        format!(
            "User-agent: *\n{}",
            numbered(9_000, &|n| format!("Allow: /*{n}a$\nDisallow: /*{n}b$\n"))
        ),
        format!(
            "User-agent: *\n{}",
            numbered(9_000, &|n| format!("Disallow: /*{n}*\nDisallow: *{n}**\n"))
        ),
        format!(
            "User-agent: *\nDisallow: /{}\nDisallow: /{}\n",
            "a*".repeat(100_000),
            "*a".repeat(100_000)
        ),
        format!("User-agent: *\n{}", format!("Disallow: /{}\n", "*a".repeat(1_000)).repeat(250)),
        numbered(20_000, &|n| format!("User-agent: a\nUser-agent: b{n}\nDisallow: /{n}\n")),
        format!("{many_names}Disallow: /\n{many_names}Disallow: /a\n"),
        format!("User-agent: *\nDisallow: {}", " /*$#".repeat(100_000)),
        format!("Content-Signal: {}", "search=,".repeat(60_000)),
        "Crawl-delay: x\n".repeat(30_000),
    ];
    for (at, body) in bodies.iter().enumerate() {
        let started = Instant::now();
        let report = lint(body.as_bytes(), &Options::default());
        assert!(report.worst().is_some(), "body {at}");
        // A hundred times what it takes, lest a busy machine fails the test.
        assert!(started.elapsed() < Duration::from_secs(60), "body {at}: {:?}", started.elapsed());
    }
}

#[test]
fn a_dead_rule_is_found_among_many() {
    let mut body = "User-agent: *\n".to_owned();
    for n in 0..10_000 {
        body += &format!("Disallow: /*/{n}/\nAllow: /{n}/*.gif$\n");
    }
    body += "Disallow: /*/77/*\nDisallow: /5/*.gif$\n";
    let report = lint(body.as_bytes(), &Options::default());
    let dead = report.findings.iter().filter(|finding| finding.code.id().starts_with("RS40"));
    let dead: Vec<(u32, Code, u32)> = dead
        .map(|f| (f.line, f.code, f.related.as_ref().map_or(0, |related| related.line)))
        .collect();
    let expected = [
        (0, Code::NotCompared, 0),
        (156, Code::DuplicateRule, 20_002),
        (20_003, Code::ContradictingRule, 13),
    ];
    assert_eq!(dead, expected);
}

#[test]
fn any_octets_are_linted() {
    let mut random = Random::new(5);
    const PIECES: [&[u8]; 16] = [
        b"User-agent:",
        b"Disallow:",
        b"Allow",
        b":",
        b" ",
        b"\n",
        b"\r",
        b"/a",
        b"*",
        b"$",
        b"#",
        b"\0",
        b"\xFF",
        b"Content-Signal: search=",
        b"Sitemap http://",
        "é".as_bytes(),
    ];
    for _ in 0..3_000 {
        let len = random.below(40);
        let body: Vec<u8> = (0..len).flat_map(|_| random.pick(&PIECES)).copied().collect();
        let limit = BodyLimit::new(1 + random.below(200));
        let report = lint(&body, &Options { limit, ..Options::default() });
        let lines: Vec<&[u8]> =
            robosift::text::lines::lines(&body).map(|line| line.octets).collect();
        for finding in &report.findings {
            let line = usize::try_from(finding.line).unwrap();
            assert!(line <= lines.len(), "{finding:?}");
            let len = line.checked_sub(1).map_or(0, |at| lines[at].len());
            assert!(
                finding.span.start <= finding.span.end && finding.span.end <= len,
                "{finding:?}"
            );
            assert!(finding.message.chars().chain(finding.remedy.chars()).all(|c| !c.is_control()));
        }
    }
}
