//! What `build` and `info` say of a corpus.

use crate::cli::Bench;
use crate::crawl::{BODIES, CAPTURES, ORIGINS, bench, run};

/// The keys of a JSON object, sorted.
fn keys(object: &serde_json::Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// The digits of the fingerprint do not matter, nor does the size.
fn without_numbers(line: &str) -> String {
    match line.split_at(13) {
        ("fingerprint  ", digits) => format!("fingerprint  {} digits", digits.len()),
        ("size         ", size) => format!("size         in {}", size.split_once(' ').unwrap().1),
        _ => line.to_owned(),
    }
}

#[test]
fn info_tells_what_is_in_it() {
    let bench = bench();
    let expected = "\
origins      9
captures     13
bodies       3 distinct
dialects     rfc9309, google
body limit   512,000 octets
texts        kept
sources      1
size         in KiB
built by     robosift VERSION
fingerprint  64 digits"
        .replace("VERSION", env!("CARGO_PKG_VERSION"));
    let lines = |arguments: &str| {
        let run = run(&bench, arguments).ends_with(0);
        assert_eq!(run.stderr, "");
        run.stdout.lines().map(without_numbers).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines("corpus info c"), expected);
    let verified = format!("{expected}\nevery octet is as it was written");
    assert_eq!(lines("corpus info c --verify"), verified);
}

#[test]
fn info_as_json_has_every_key() {
    let bench = bench();
    let json = run(&bench, "corpus info c --json").ends_with(0).json();
    let expected = [
        "bodies",
        "body_limit",
        "built_by",
        "captures",
        "captures_imported",
        "captures_without_place",
        "dialects",
        "files",
        "fingerprint",
        "octets",
        "origins",
        "revisits",
        "revisits_unresolved",
        "shards",
        "sources",
        "texts",
        "verified",
    ];
    assert_eq!(keys(&json), expected);
    assert_eq!(
        (&json["origins"], &json["captures"], &json["bodies"]),
        (&ORIGINS.into(), &CAPTURES.into(), &BODIES.into())
    );
    assert_eq!(json["captures_without_place"], 1);
    assert_eq!(json["sources"], serde_json::json!(["crawl.jsonl"]));
    assert_eq!((&json["texts"], &json["verified"]), (&true.into(), &false.into()));
    assert_eq!(json["dialects"], serde_json::json!(["rfc9309", "google"]));
    let files = [
        "captures.arrow",
        "index.arrow",
        "origins.arrow",
        "programs.arrow",
        "rules.parquet",
        "sources.arrow",
        "target_captures.arrow",
        "targets.arrow",
        "texts.arrow",
    ];
    assert_eq!(keys(&json["files"]), files);
    let octets: u64 =
        json["files"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(json["octets"], octets);
    for (name, len) in json["files"].as_object().unwrap() {
        assert_eq!(bench.read(&format!("c/{name}")).len() as u64, len.as_u64().unwrap(), "{name}");
    }
    let verified = run(&bench, "corpus info c --json --verify").ends_with(0).json();
    assert_eq!(verified["verified"], true);
    // Nothing else lies in the folder.
    let mut listed: Vec<String> =
        files.iter().flat_map(|name| [(*name).to_owned(), format!("{name}.sums")]).collect();
    listed.push("manifest.json".to_owned());
    listed.sort();
    assert_eq!(bench.listing("c"), listed);
}

#[test]
fn build_says_what_came_in() {
    let bench = bench();
    let built = run(&bench, "corpus build crawl.jsonl -o again").ends_with(0);
    let lines: Vec<&str> = built.stdout.lines().collect();
    assert!(lines[0].starts_with("13 captures of 9 origins from 1 file in "), "{lines:?}");
    assert!(lines[1].starts_with("3 distinct bodies, ") && lines[1].ends_with(" in again"));
    let left_out = "1 captures were left out: their origin or URL is not an absolute http(s) one";
    assert_eq!(lines[2..], [left_out]);
    let note = "note: crawl.jsonl: captures without a status count as 200 where they have a body\n";
    assert_eq!(built.stderr, note);
    let quiet = run(&bench, "corpus build crawl.jsonl -o quiet -q").ends_with(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    let json = run(&bench, "corpus build crawl.jsonl -o json --json -q").ends_with(0).json();
    let expected = [
        "bodies",
        "captures",
        "captures_without_place",
        "captures_without_status",
        "num_skipped",
        "octets",
        "origins",
        "revisits",
        "revisits_unresolved",
        "seconds",
        "skipped",
        "sources",
    ];
    assert_eq!(keys(&json), expected);
    assert_eq!(json["captures_without_status"], 1);
}

#[test]
fn a_source_without_captures_makes_a_corpus_that_knows_nothing() {
    let bench = Bench::new();
    bench.write("empty.jsonl", "");
    bench.urls("rows.parquet", &["https://a.example/x", "nonsense"]);
    run(&bench, "corpus build empty.jsonl -o c -q").ends_with(0);
    let info = run(&bench, "corpus info c --json --verify").ends_with(0).json();
    for key in ["origins", "captures", "bodies"] {
        assert_eq!(info[key], 0, "{key}");
    }
    let table = bench.verdicts("--corpus c --agent X rows.parquet");
    assert_eq!(table.bases(), ["no_capture", "bad_url"]);
    for what in ["rules", "captures", "records"] {
        let json = run(&bench, &format!("corpus {what} c -o {what}.parquet --json")).json();
        assert_eq!(
            (&json["rows"], bench.table(&format!("{what}.parquet")).num_rows()),
            (&0.into(), 0)
        );
    }
    run(&bench, "corpus show c a.example").ends_with(4).says(&["no capture of https://a.example"]);
}

/// A table, a folder of files named by host, a pattern, a built corpus, a list of paths, all at once.
#[test]
fn sources_of_every_kind_go_into_one_corpus() {
    let bench = bench();
    bench.write("hosts/a.example", "User-agent: *\nDisallow: /a\n");
    bench.write("hosts/https_b.example_8443.txt", "User-agent: *\nDisallow: /b\n");
    bench.write("more1.jsonl", r#"{"origin": "https://c.example", "status": 404, "body": null}"#);
    bench.write("more2.jsonl", r#"{"origin": "https://d.example", "status": 404, "body": null}"#);
    bench.write("lists/some.paths", "\n../more1.jsonl\nmore2.jsonl\n\n");
    let words = "corpus build hosts more*.jsonl c lists/some.paths -o made/ --json";
    let json = run(&bench, words).ends_with(0).json();
    assert_eq!(json["captures"], 3 + 2 + CAPTURES + 2);
    assert_eq!(json["origins"], 3 + 2 + ORIGINS);
    // Two of the folder, two of the pattern, the corpus, two of the list.
    assert_eq!(json["sources"], 7);
    let info = run(&bench, "corpus info made/ --json").ends_with(0).json();
    let named = [
        "hosts/a.example",
        "hosts/https_b.example_8443.txt",
        "more1.jsonl",
        "more2.jsonl",
        "crawl.jsonl",
        "lists/../more1.jsonl",
        "more2.jsonl",
    ];
    assert_eq!(info["sources"], serde_json::json!(named));
    assert!(!bench.exists("made.partial") && !bench.exists("made/.partial"));
}

/// What was passed over is counted, told, and the exit code says so.
#[test]
fn build_passes_over_damaged_lines_where_asked() {
    let bench = Bench::new();
    bench.write(
        "a.jsonl",
        "{\"origin\": \"https://a.example\", \"body\": \"x\"}\nnot json\n{\"origin\": \"https://b.example\", \"body\": \"x\"}\n",
    );
    let failed = run(&bench, "corpus build a.jsonl -o c").ends_with(4);
    failed.says(&["a.jsonl, line 2: not a JSON object"]);
    assert!(!bench.exists("c"));
    let skipped = run(&bench, "corpus build a.jsonl -o c --on-error skip").ends_with(3);
    assert!(skipped.stdout.ends_with("skipped: 1\n"), "{}", skipped.stdout);
    assert_eq!(run(&bench, "corpus info c --json").json()["captures"], 2);
}

#[test]
fn what_makes_no_sense_is_told() {
    let bench = bench();
    for (arguments, code, words) in [
        ("corpus build", 2, ["required", "SOURCES"]),
        ("corpus build crawl.jsonl", 2, ["required", "--output"]),
        ("corpus build crawl.jsonl -o x --memory 1MiB", 2, ["--memory", "64MiB"]),
        ("corpus build crawl.jsonl -o x --robots-columns nonsense", 2, ["nonsense", "body"]),
        ("corpus build absent.jsonl -o x", 4, ["absent.jsonl", "No such file"]),
        ("corpus build crawl.jsonl -o c", 4, ["c: is there already", "name another output"]),
        ("corpus build c/absent-*.jsonl -o x", 4, ["absent-*.jsonl", "matches no files"]),
        ("corpus info absent", 4, ["absent", "no built corpus"]),
        ("corpus info crawl.jsonl", 4, ["crawl.jsonl", "no built corpus"]),
        ("corpus rules crawl.jsonl -o x.parquet", 4, ["crawl.jsonl", "no built corpus"]),
        ("corpus show absent a.example", 4, ["absent", "no built corpus"]),
        ("corpus", 2, ["Usage", "robosift corpus"]),
    ] {
        run(&bench, arguments).ends_with(code).says(&words);
        assert!(!bench.exists("x") && !bench.exists("x.parquet"), "{arguments}");
    }
}
