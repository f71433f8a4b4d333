//! JSON lines plain and compressed, folders of files named by host, single files.

use crate::cli::Bench;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const BODY: &str = "User-agent: *\nDisallow: /x\n";
const ROWS: &str = "--agent GPTBot rows.parquet";

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn bench(urls: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.urls("rows.parquet", urls);
    bench
}

fn line(origin: &str, body: &str) -> String {
    serde_json::json!({"origin": origin, "body": body, "status": 200}).to_string() + "\n"
}

#[test]
fn json_lines_plain_and_compressed() {
    let bench = bench(&["https://a.example/x", "https://b.example/x"]);
    let lines = [line("https://a.example", BODY), line("https://b.example", BODY)];
    let all = lines.concat();
    bench.write("r.jsonl", &all);
    bench.write("r.jsonl.gz", gzip(all.as_bytes()));
    // Two members, the second begins in the middle of a line.
    let (head, tail) = all.as_bytes().split_at(lines[0].len() + 10);
    bench.write("members.jsonl.gz", [gzip(head), gzip(tail)].concat());
    bench.write("r.jsonl.zst", zstd::encode_all(all.as_bytes(), 1).unwrap());
    let frames = [head, tail].map(|part| zstd::encode_all(part, 1).unwrap());
    bench.write("frames.jsonl.zst", frames.concat());
    bench.write("crlf.jsonl", all.replace('\n', "\r\n"));
    bench.write("unended.jsonl", all.trim_end());
    bench.write("blank.jsonl", format!("\n{}\n\n{}\n", lines[0], lines[1]));
    let names = [
        "r.jsonl",
        "r.jsonl.gz",
        "members.jsonl.gz",
        "r.jsonl.zst",
        "frames.jsonl.zst",
        "crlf.jsonl",
        "unended.jsonl",
        "blank.jsonl",
    ];
    for name in names {
        let table = bench.verdicts(&format!("--corpus {name} {ROWS}"));
        assert_eq!(table.allowed(), [Some(false); 2], "{name}");
    }
}

#[test]
fn br206_every_member_of_a_gzip_is_read() {
    let count = 1_000;
    let names: Vec<String> = (0..count).map(|n| format!("https://h{n}.example")).collect();
    let members: Vec<Vec<u8>> =
        names.iter().map(|name| gzip(line(name, BODY).as_bytes())).collect();
    let urls: Vec<String> = names.iter().map(|name| format!("{name}/x")).collect();
    let bench = bench(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    bench.write("r.jsonl.gz", members.concat());
    let run = bench.eval(&format!("--corpus r.jsonl.gz {ROWS} --json -o out.parquet")).ends_with(0);
    assert_eq!(run.json()["corpus"]["captures"], count);
    assert_eq!(bench.table("out.parquet").allowed(), vec![Some(false); count]);
}

#[test]
fn json_values_are_read_as_what_they_mean() {
    let hosts = ["null", "missing", "escaped", "surrogate", "status", "time", "extra"];
    let urls = hosts.map(|host| format!("https://{host}.example/x"));
    let bench = bench(&urls.each_ref().map(String::as_str));
    let text = r#"{"origin":"https://null.example","body":null,"status":200}
{"origin":"https://missing.example","status":200}
{"origin":"https://escaped.example","body":"User-agent: *\nDisallow: \u002fx","status":200}
{"origin":"https://surrogate.example","body":"User-agent: *\nDisallow: /x\n# \ud83e\udd16","status":200}
{"origin":"https://status.example","body":"","status":404,"fetch_time":null}
{"origin":"https://time.example","body":"User-agent: *\nDisallow: /x","fetch_time":"2026-01-02T03:04:05Z"}
{"origin":"https://extra.example","body":"User-agent: *\nDisallow: /x","other":[{"deep":{"er":1}}]}
"#;
    bench.write("r.jsonl", text);
    let table = bench.verdicts(&format!("--corpus r.jsonl {ROWS} --columns full"));
    let bases = ["no_capture", "no_capture", "rule", "rule", "unavailable", "rule", "rule"];
    assert_eq!(table.bases(), bases);
    // 2026-01-02T03:04:05Z, by `date --date=… +%s`.
    assert_eq!(table.ints("robots_capture_time")[5], Some(1_767_323_045_000_000));
    assert_eq!(table.ints("robots_capture_time")[6], None);
}

#[test]
fn json_names_can_be_mapped_into_objects() {
    let bench = bench(&["https://a.example/x"]);
    bench.write("r.jsonl", r#"{"robots_url":"https://a.example/robots.txt","response":{"body":"User-agent: *\nDisallow: /x"}}"#);
    let map = "--robots-columns body=response.body,url=robots_url";
    let table = bench.verdicts(&format!("--corpus r.jsonl {map} {ROWS}"));
    assert_eq!(table.allowed(), [Some(false)]);
}

#[test]
fn a_folder_of_files_named_by_host() {
    let urls = [
        "https://www.example.com/x",
        "http://www.example.com/x",
        "https://api.example.com:8443/x",
        "https://api.example.com/x",
        "http://plain.example/x",
        "https://plain.example/x",
        "https://example.com/x",
    ];
    let bench = bench(&urls);
    bench.write("sites/www.example.com", BODY);
    bench.write("sites/https_api.example.com_8443.txt", BODY);
    bench.write("sites/http_plain.example", BODY);
    let table = bench.verdicts(&format!("--corpus sites {ROWS}"));
    let (rule, none) = ("rule", "no_capture");
    assert_eq!(table.bases(), [rule, rule, rule, none, rule, none, none]);
}

#[test]
fn one_robots_txt_needs_an_origin() {
    let bench = bench(&["https://a.example/x", "http://a.example/x"]);
    bench.write("robots.txt", BODY);
    let table =
        bench.verdicts(&format!("--corpus robots.txt --origin https://A.example:443 {ROWS}"));
    assert_eq!(table.bases(), ["rule", "no_capture"]);
    let run = bench.eval(&format!("--corpus robots.txt {ROWS} -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["robots.txt", "--origin"]);
    let run = bench.eval(&format!("--corpus robots.txt --origin a.example {ROWS} -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["a.example"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn an_empty_file_allows_and_an_empty_folder_is_an_error() {
    let bench = bench(&["https://a.example/x"]);
    bench.write("robots.txt", "");
    let table = bench.verdicts(&format!("--corpus robots.txt --origin https://a.example {ROWS}"));
    assert_eq!(table.bases(), ["no_rules"]);
    std::fs::create_dir(bench.path("none")).unwrap();
    bench.eval(&format!("--corpus none {ROWS} -o no.parquet")).ends_with(4).says(&["none"]);
}

#[test]
fn br207_a_body_that_is_still_compressed_is_no_robots() {
    let bench = bench(&["https://a.example/x"]);
    bench.write("robots.txt", gzip(BODY.as_bytes()));
    let corpus = "--corpus robots.txt --origin https://a.example --columns full";
    let table = bench.verdicts(&format!("{corpus} {ROWS}"));
    assert_eq!(table.bases(), ["not_robots"]);
    assert_eq!(table.ints("robots_flags")[0].unwrap() & 4, 4, "flagged as no text");
}

/// However a body is stored, no more of it is kept than of one in an archive, and that is flagged and counted.
#[test]
fn bodies_of_all_sources_are_cut_where_those_of_archives_are() {
    const KEPT: usize = 8 << 20;
    let bench = Bench::new();
    let rule = "User-agent: *\nDisallow: /x\n";
    let body = |len: usize| format!("{rule}{}", "#".repeat(len - rule.len()));
    let (whole, long) = (body(KEPT), body(KEPT + 1));
    let line = |origin: &str, body: &str| {
        serde_json::json!({ "origin": origin, "body": body, "status": 200 }).to_string() + "\n"
    };
    let (a, b) = ("https://a.example", "https://b.example");
    bench.write("t.jsonl", line(a, &whole) + &line(b, &long));
    bench.write("t.csv", format!("origin,body,status\n{a},\"{whole}\",200\n{b},\"{long}\",200\n"));
    bench.robots("t.parquet", &[crate::cli::robots(a, &whole), crate::cli::robots(b, &long)]);
    bench.write("folder/https_a.example", &whole);
    bench.write("folder/https_b.example", &long);
    for source in ["t.jsonl", "t.csv", "t.parquet", "folder"] {
        let corpus = format!("{source}.corpus");
        let built = bench.run(&["corpus", "build", source, "-o", &corpus]).ends_with(0);
        built.says(&["1 bodies were cut at 8 MiB"]);
        bench.run(&["corpus", "captures", &corpus, "-o", "c.parquet", "-q"]).ends_with(0);
        let table = bench.table("c.parquet");
        assert_eq!(table.bools("truncated"), [Some(false), Some(true)], "{source}");
        let lens = table.ints("length");
        assert_eq!(lens, [Some(8 << 20); 2], "{source}");
        // Nothing tells the two bodies apart any more.
        assert_eq!(table.ints("body_id"), [Some(0); 2], "{source}");
    }
    let words = ["corpus", "build", "folder/https_b.example", "--origin", b, "-o", "single"];
    bench.run(&words).ends_with(0).says(&["https_b.example: 1 bodies were cut at 8 MiB"]);
}
