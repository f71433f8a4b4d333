//! Where the robots.txt comes from: files, standard input, corpora, captures as they are.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::{Bench, Robots, capture, robots};

const RULES: &str = "User-agent: *\nDisallow: /private\n";

fn agent(bench: &Bench, words: &str) -> Value {
    let words = format!("explain {words} --agent CCBot --json");
    let run = bench.run(&words.split(' ').collect::<Vec<_>>());
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run.json()
}

/// What two visits of one origin, a redirect, and the other scheme say.
fn captures() -> Vec<Robots> {
    vec![
        robots("https://a.example.com", "User-agent: *\nDisallow: /old\n").hour(480_000),
        robots("https://a.example.com", RULES).hour(481_000),
        capture("https://b.example.com")
            .status(301)
            .redirect("https://a.example.com/robots.txt")
            .hour(481_000),
        robots("http://c.example.com", RULES).hour(481_000),
    ]
}

/// The same question of a built corpus and of captures as they are, with texts in both.
fn each_source(words: &str, check: impl Fn(&Value)) {
    let bench = Bench::new();
    bench.robots("robots.parquet", &captures());
    bench.run(&["corpus", "build", "robots.parquet", "-o", "built", "-q"]).ends_with(0);
    for source in ["built", "robots.parquet"] {
        let found = agent(&bench, &format!("{words} --corpus {source}"));
        assert!(found["captures"][0]["body"]["has_text"].as_bool() != Some(false), "{found}");
        check(&found);
    }
}

#[test]
fn the_visit_that_counts_is_told() {
    each_source("https://a.example.com/private", |found| {
        assert_eq!(
            (&found["agents"][0]["line"], &found["captures"][0]["status"]),
            (&2.into(), &200.into())
        );
        assert_eq!(found["captures"][0]["time"], "2024-11-14T16:00:00Z");
        assert_eq!(found["agents"][0]["rules"][0]["written"], "/private");
    });
    each_source("https://a.example.com/old --at 2024-10-15", |found| {
        assert_eq!(found["agents"][0]["allowed"], false);
    });
    // Refused since: the later visit decides.
    each_source("https://a.example.com/private --at 2024-10-15 --as-of ever", |found| {
        assert_eq!(found["agents"][0]["allowed"], false);
        assert_eq!(found["captures"][0]["time"], "2024-11-14T16:00:00Z");
    });
}

#[test]
fn redirects_and_the_other_scheme_are_followed() {
    each_source("https://b.example.com/private", |found| {
        assert_eq!(found["agents"][0]["allowed"], false);
        let capture = &found["captures"][0];
        assert_eq!(
            (&capture["redirected"], &capture["redirects"][0]["status"]),
            (&true.into(), &301.into())
        );
        assert_eq!(found["agents"][0]["rules"][0]["written"], "/private");
    });
    each_source("https://c.example.com/private", |found| {
        assert_eq!(found["agents"][0]["basis"], "no_capture");
    });
    each_source("https://c.example.com/private --scope host", |found| {
        assert_eq!(found["agents"][0]["allowed"], false);
        assert_eq!(found["captures"][0]["origin"], "http://c.example.com");
        assert_eq!(found["captures"][0]["is_twin"], true);
    });
}

#[test]
fn a_body_may_come_by_standard_input() {
    for words in [vec!["-"], vec!["--robots", "-"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_robosift"))
            .args(["explain", "https://a.example.com/private", "--agent", "CCBot", "-q"])
            .args(words)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(RULES.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn another_body_limit_is_heeded() {
    let bench = Bench::new();
    bench.robots("robots.parquet", &captures());
    bench.run(&["corpus", "build", "robots.parquet", "-o", "built", "-q"]).ends_with(0);
    for source in ["--corpus built", "--corpus robots.parquet"] {
        let found =
            agent(&bench, &format!("https://a.example.com/private {source} --body-limit 20"));
        assert_eq!(found["agents"][0]["basis"], "no_rules", "{source}");
        assert!(found["agents"][0]["notes"][0].as_str().unwrap().contains("--body-limit"));
    }
}

#[test]
fn clauses_that_programs_do_not_depend_on_are_told_without_texts() {
    let bench = Bench::new();
    let body = "User-agent: *\nDisallow: /a~b\nDisallow: /robots.txt\n";
    bench.robots("robots.parquet", &[robots("https://a.example.com", body)]);
    let build = |more: &[&str]| {
        let words = ["corpus", "build", "robots.parquet", "-q", "-o"];
        bench.run(&[&words[..], more].concat()).ends_with(0)
    };
    build(&["bare", "--no-bodies"]);
    build(&["whole"]);
    let of = |path: &str, corpus: &str| {
        agent(&bench, &format!("https://a.example.com{path} --corpus {corpus}"))["agents"][0]
            .clone()
    };
    let [bare, whole] = ["bare", "whole"].map(|corpus| of("/robots.txt", corpus));
    assert_eq!(bare["other_dialect"], whole["other_dialect"]);
    assert_eq!(bare["other_dialect"]["clauses"][0]["name"], "robots_txt_allowed");
    assert_eq!(bare["notes"][0].as_str().unwrap().split(", and").count(), 1);
    let [bare, whole] = ["bare", "whole"].map(|corpus| of("/a%7Eb", corpus));
    assert_eq!(whole["other_dialect"]["clauses"][0]["name"], "normalisation");
    let told = |agent: &serde_json::Value| {
        let other = &agent["other_dialect"];
        (
            other["differs"].clone(),
            other["needs_text"].clone(),
            other["clauses"].as_array().unwrap().len(),
        )
    };
    assert_eq!(told(&bare), (true.into(), true.into(), 0));
    assert_eq!(told(&whole), (true.into(), false.into(), 1));
    assert!(
        bare["notes"][0]
            .as_str()
            .unwrap()
            .ends_with("which clauses make the other dialect differ is not known")
    );
}
