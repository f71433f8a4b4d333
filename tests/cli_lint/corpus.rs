//! Corpora: a row for each finding of each distinct body, counts of each code.

use crate::cli::{Bench, Run, robots};

const ODD: &str = "User-agent: *\nDisallow: x\nDisallow: y\nDisallow: /\n";
const FINE: &str = "User-agent: *\nDisallow: /x\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.robots(
        "crawl.parquet",
        &[
            robots("https://a.example", ODD),
            robots("https://b.example", FINE),
            robots("https://c.example", ODD),
            robots("https://c.example", ODD).hour(1),
            robots("https://d.example", "<html>").status(404),
        ],
    );
    bench
}

fn lint(bench: &Bench, arguments: &str) -> Run {
    let words: Vec<&str> = ["lint"].into_iter().chain(arguments.split_whitespace()).collect();
    bench.run(&words)
}

#[test]
fn a_table_and_a_built_corpus_give_the_same_findings() {
    let bench = bench();
    bench.run(&["corpus", "build", "crawl.parquet", "-o", "c", "-q"]).ends_with(0);
    for (corpus, is_built) in [("crawl.parquet", false), ("c", true)] {
        let json =
            lint(&bench, &format!("--corpus {corpus} -o f.parquet --json")).ends_with(1).json();
        let numbers = ["bodies", "bodies_with_findings", "findings", "rows"];
        let numbers = numbers.map(|key| json[key].as_u64().unwrap());
        assert_eq!(numbers, [2, 1, 3, 3], "{corpus}");
        let expected = serde_json::json!([
            { "code": "RS205", "name": "closed-to-all", "severity": "warning", "findings": 1, "bodies": 1, "origins": 2 },
            { "code": "RS301", "name": "unrooted-pattern", "severity": "error", "findings": 2, "bodies": 1, "origins": 2 },
        ]);
        assert_eq!(json["codes"], expected);
        let table = bench.table("f.parquet");
        let names = [
            "body_id",
            "digest",
            "rule_id",
            "line",
            "related_line",
            "code",
            "name",
            "severity",
            "message",
            "remedy",
            "num_in_body",
            "num_origins",
        ];
        assert_eq!(table.names(), names);
        let codes = ["RS301", "RS301", "RS205"].map(|code| Some(code.to_owned()));
        assert_eq!(table.texts("code"), codes);
        assert_eq!(table.ints("line"), [Some(2), Some(3), Some(4)]);
        assert_eq!(table.ints("num_origins"), [Some(2); 3]);
        assert_eq!(table.ints("num_in_body"), [Some(2), Some(2), Some(1)]);
        // Numbers of bodies are those of a built corpus.
        assert_eq!(table.ints("body_id"), [is_built.then_some(0); 3]);
        assert_eq!(table.ints("rule_id")[1], is_built.then_some(3));
        assert!(table.texts("digest").iter().all(|digest| digest.as_ref().unwrap().len() == 64));
    }
}

#[test]
fn the_cap_keeps_rows_few_and_counts_exact() {
    let bench = bench();
    let json =
        lint(&bench, "--corpus crawl.parquet -o f.parquet --json --most 1").ends_with(1).json();
    assert_eq!((&json["findings"], &json["rows"]), (&3.into(), &2.into()));
    assert_eq!(bench.table("f.parquet").ints("num_in_body"), [Some(2), Some(1)]);
}

#[test]
fn the_summary_has_a_line_for_each_code() {
    let bench = bench();
    let said = lint(&bench, "--corpus crawl.parquet").ends_with(1).stdout;
    let expected = "\
2 distinct bodies, 1 of them with findings, 3 findings in all

code   name              severity  findings  bodies  origins
RS205  closed-to-all     warning          1       1        2
RS301  unrooted-pattern  error            2       1        2
";
    assert_eq!(said, expected);
    assert_eq!(lint(&bench, "--corpus crawl.parquet -q").ends_with(1).stdout, "");
    let none = lint(&bench, "--corpus crawl.parquet --only RS001").ends_with(0);
    assert!(
        none.stdout.starts_with("2 distinct bodies, 0 of them with findings"),
        "{}",
        none.stdout
    );
}

#[test]
fn what_cannot_be_linted_is_said() {
    let bench = bench();
    bench
        .run(&["corpus", "build", "crawl.parquet", "-o", "bare", "--no-bodies", "-q"])
        .ends_with(0);
    lint(&bench, "--corpus bare").ends_with(4).says(&["without the texts of bodies"]);
    for output in ["crawl.parquet", "bare/f.parquet"] {
        let corpus = "--corpus crawl.parquet --corpus bare";
        lint(&bench, &format!("{corpus} -o {output}"))
            .ends_with(2)
            .says(&["belongs to the corpus"]);
    }
    lint(&bench, "--corpus absent.parquet").ends_with(4).says(&["absent.parquet"]);
    lint(&bench, "--corpus crawl.parquet --sarif").ends_with(2).says(&["table"]);
    lint(&bench, "--corpus crawl.parquet -o absent/f.parquet")
        .ends_with(4)
        .says(&["absent/f.parquet"]);
}

/// Sources and archives cut long bodies: how long one was is not known.
#[test]
fn a_length_is_told_as_the_least() {
    let bench = Bench::new();
    let body = format!("User-agent: *\nDisallow: /x\n#{}\nDisallow: /y\n", "x".repeat(600_000));
    let len = body.len();
    bench.write("robots.txt", &body);
    bench.robots("crawl.parquet", &[crate::cli::robots("https://a.example", body)]);
    lint(&bench, "--corpus crawl.parquet -o f.parquet --only RS007 -q").ends_with(1);
    let messages = bench.table("f.parquet").texts("message");
    let of_corpus = messages[0].as_deref().unwrap();
    assert!(of_corpus.starts_with(&format!("the file has at least {len} octets;")), "{of_corpus}");
    assert!(of_corpus.ends_with("at least 1 rules"), "{of_corpus}");
    let file = bench.run(&["lint", "robots.txt", "--only", "RS007", "--json"]).ends_with(1).json();
    let of_file = file["files"][0]["findings"][0]["message"].as_str().unwrap();
    assert_eq!(of_file, of_corpus.replace("has at least ", "has ").replace("it at least ", "it "));
    let json = lint(&bench, "--corpus crawl.parquet --json").json();
    assert_eq!(json["schema_version"], 1);
}
