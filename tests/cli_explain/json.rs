//! `--json`: its shape is a promise.

use serde_json::{Value, json};

use crate::cli::Bench;

const ROBOTS: &str = "\
User-agent: *
Disallow: /

User-agent: GPTBot
Crawl-delay: 5
Allow: /a%7Eb
Disallow: /a

Sitemap: https://www.example.com/s.xml
";

fn ask(words: &str) -> (i32, Value) {
    let bench = Bench::new();
    bench.write("robots.txt", ROBOTS);
    let words = format!("explain {words} --robots robots.txt --json");
    let run = bench.run(&words.split(' ').collect::<Vec<_>>());
    let object = run.json();
    (run.code, object)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn an_answer_has_all_its_parts() {
    let (code, found) = ask("https://www.example.com/%61~b --agent GPTBot");
    assert_eq!(code, 0);
    assert_eq!(found["schema_version"], 1);
    assert_eq!(
        (&found["origin"], &found["path"], &found["path_compared"]),
        (&json!("https://www.example.com"), &json!("/%61~b"), &json!("/a~b"))
    );
    let agent = &found["agents"][0];
    assert_eq!(
        (&agent["allowed"], &agent["verdict"], &agent["basis"], &agent["line"]),
        (&json!(true), &json!("allowed"), &json!("rule"), &json!(6))
    );
    assert_eq!(agent["group"], json!({"kind": "named", "name": "gptbot", "rules": 2}));
    assert_eq!(
        agent["groups"],
        json!([
            {"user_agents": [{"line": 1, "value": "*"}], "user_agents_in_all": 1, "first_line": 1, "last_line": 2, "rules": 1, "standing": "hidden"},
            {"user_agents": [{"line": 4, "value": "GPTBot"}], "user_agents_in_all": 1, "first_line": 4, "last_line": 7, "rules": 2, "standing": "applies"},
        ])
    );
    assert_eq!(agent["groups_in_all"], 2);
    assert_eq!(
        found["captures"][0]["body"]["groups"],
        json!([
            {"user_agents": [{"line": 1, "value": "*"}], "first_line": 1, "last_line": 2, "rules": 1},
            {"user_agents": [{"line": 4, "value": "GPTBot"}], "first_line": 4, "last_line": 7, "rules": 2},
        ])
    );
    assert_eq!(
        agent["rules"],
        json!([
            {"line": 6, "kind": "allow", "written": "/a%7Eb", "pattern": "/a~b", "specificity": 4, "standing": "decides"},
            {"line": 7, "kind": "disallow", "written": "/a", "pattern": "/a", "specificity": 2, "standing": "less_specific"},
        ])
    );
    assert_eq!(
        agent["records"],
        json!([
            {"line": 5, "kind": "crawl_delay", "name": "Crawl-delay", "value": "5", "applies": true},
            {"line": 9, "kind": "sitemap", "name": "Sitemap", "value": "https://www.example.com/s.xml", "applies": true},
        ])
    );
    let other = &agent["other_dialect"];
    assert_eq!(
        (&other["dialect"], &other["differs"], &other["allowed"], &other["basis"]),
        (&json!("google"), &json!(true), &json!(true), &json!("no_rule"))
    );
    assert_eq!(other["clauses"][0]["name"], "normalisation");
}

#[test]
fn the_keys_are_those_of_version_1() {
    let (_, found) = ask("https://www.example.com/a --agent GPTBot --all-agents");
    assert_eq!(
        keys(&found),
        [
            "agents",
            "all_agents",
            "body_limit",
            "captures",
            "dialect",
            "origin",
            "path",
            "path_compared",
            "policy",
            "schema_version",
            "scope",
            "tool_version",
            "url"
        ]
    );
    assert_eq!(
        keys(&found["captures"][0]),
        [
            "access",
            "body",
            "is_twin",
            "origin",
            "redirected",
            "redirects",
            "stale",
            "status",
            "time"
        ]
    );
    assert_eq!(
        keys(&found["captures"][0]["body"]),
        ["flags", "groups", "has_text", "id", "octets", "origins", "sha256"]
    );
    assert_eq!(
        keys(&found["agents"][0]),
        [
            "agent",
            "allowed",
            "basis",
            "capture",
            "group",
            "groups",
            "groups_in_all",
            "line",
            "matching",
            "names",
            "notes",
            "operator",
            "other_dialect",
            "reason",
            "records",
            "rules",
            "verdict"
        ]
    );
    let all = found["all_agents"].as_array().unwrap();
    let of_gptbot = all.iter().find(|verdict| verdict["agent"] == "GPTBot").unwrap();
    assert_eq!(
        *of_gptbot,
        json!({"agent": "GPTBot", "allowed": false, "basis": "rule", "line": 7, "group": "named"})
    );
    let of_ccbot = all.iter().find(|verdict| verdict["agent"] == "CCBot").unwrap();
    assert_eq!(of_ccbot["group"], "wildcard");
}

#[test]
fn exit_codes_say_the_verdict() {
    let cases = [
        ("https://www.example.com/b --agent GPTBot", 0),
        ("https://www.example.com/a --agent GPTBot", 1),
        ("https://www.example.com/b --agent GPTBot,CCBot", 1),
        ("ftp://www.example.com/a --agent GPTBot", 5),
        ("https://www.example.com/a --all-agents", 1),
    ];
    for (words, code) in cases {
        assert_eq!(ask(words).0, code, "{words}");
    }
}

#[test]
fn mistakes_are_told_from_failures() {
    let bench = Bench::new();
    bench.write("robots.txt", ROBOTS);
    let url = "explain https://www.example.com/a";
    let cases = [
        (format!("{url} --robots robots.txt"), 2, "no agent is asked for"),
        (format!("{url} --agent GPTBot"), 2, "no robots.txt is given"),
        (format!("{url} --agent GPTBot --robots none.txt"), 4, "none.txt"),
        (format!("{url} --agent GPTBot --corpus none"), 4, "none"),
        (format!("{url} --agent GPTBot --robots robots.txt --as-of row"), 2, "--at"),
        (format!("{url} --agent GPTBot --robots robots.txt --nearest"), 2, "--at"),
        (format!("{url} --agent GPTBot --response robots.txt"), 4, "status line"),
        (format!("{url} --agent GPTBot --robots robots.txt --corpus c"), 2, "--corpus"),
    ];
    for (words, code, said) in cases {
        bench.run(&words.split(' ').collect::<Vec<_>>()).ends_with(code).says(&[said]);
    }
}

#[test]
fn a_body_that_was_read_in_part_has_no_length_and_no_digest() {
    let (_, found) = ask("https://www.example.com/a --agent CCBot --body-limit 30");
    let body = &found["captures"][0]["body"];
    assert_eq!((&body["octets"], &body["sha256"]), (&Value::Null, &Value::Null));
    let note = "the body has more than 30 octets, of which 30 were read (--body-limit)";
    assert_eq!(found["agents"][0]["notes"], json!([note]));
    let (_, found) =
        ask(&format!("https://www.example.com/a --agent CCBot --body-limit {}", ROBOTS.len()));
    assert_eq!(found["captures"][0]["body"]["octets"], ROBOTS.len());
}
