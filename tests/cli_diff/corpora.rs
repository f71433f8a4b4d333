//! Two corpora with every transition.

use serde_json::{Value, json};

use crate::cli::{Bench, Robots, Run, capture, robots};

const ADMIN: &str = "User-agent: *\nDisallow: /admin/\n";
const CLOSED: &str = "User-agent: *\nDisallow: /\n";
const GPTBOT: &str = "User-agent: *\nDisallow: /admin/\n\nUser-agent: GPTBot\nDisallow: /\n";

type Transition = (&'static str, Robots, Robots, &'static str, &'static str);

/// Origin, what it said, what it says, and what became of it for `*` and for GPTBot.
fn origins() -> Vec<Transition> {
    let of = |origin: &'static str, old: &str, new: &str, any, gptbot| {
        (origin, robots(origin, old), robots(origin, new), any, gptbot)
    };
    let a = "https://status.example";
    let b = "https://gone.example";
    let c = "https://lost.example";
    vec![
        of("https://same.example", ADMIN, ADMIN, "unchanged", "unchanged"),
        of(
            "https://rewritten.example",
            ADMIN,
            "user-agent: *\ndisallow: /admin/*\n",
            "unchanged",
            "unchanged",
        ),
        of("https://wholly.example", ADMIN, CLOSED, "closed_wholly", "closed_wholly"),
        of("https://named.example", ADMIN, GPTBOT, "unchanged", "closed_wholly"),
        of("https://partly.example", "", ADMIN, "partly_closed", "partly_closed"),
        of("https://back.example", CLOSED, ADMIN, "opened_wholly", "opened_wholly"),
        of("https://less.example", ADMIN, "", "partly_opened", "partly_opened"),
        of(
            "https://moved.example",
            ADMIN,
            "User-agent: *\nDisallow: /a/\n",
            "closed_and_opened",
            "closed_and_opened",
        ),
        (a, robots(a, ADMIN), capture(a).status(503), "closed_wholly", "closed_wholly"),
        (b, robots(b, CLOSED), capture(b).status(404), "opened_wholly", "opened_wholly"),
        (
            c,
            robots(c, ADMIN),
            capture(c).status(301).redirect("https://away.example/x"),
            "unknown",
            "unknown",
        ),
    ]
}

/// Both corpora as tables, each with an origin that the other one has not.
fn bench() -> Bench {
    let bench = Bench::new();
    let only = |origin| robots(origin, CLOSED);
    let old: Vec<Robots> = origins().into_iter().map(|(_, old, ..)| old).collect();
    let new: Vec<Robots> = origins().into_iter().map(|(_, _, new, ..)| new).collect();
    bench.robots("old.parquet", &[old, vec![only("https://former.example")]].concat());
    let latter = vec![only("https://latter.example"), only("https://latter.example:8443")];
    bench.robots("new.parquet", &[new, latter].concat());
    bench
}

fn diff(bench: &Bench, arguments: &str) -> Run {
    let words: Vec<&str> = ["diff"].into_iter().chain(arguments.split(' ')).collect();
    bench.run(&words)
}

fn of_agent<'v>(summary: &'v Value, agent: &str) -> &'v Value {
    let agents = summary["agents"].as_array().unwrap();
    agents.iter().find(|counts| counts["agent"] == agent).unwrap()
}

const CHANGES: [&str; 8] = [
    "closed_wholly",
    "partly_closed",
    "closed_and_opened",
    "partly_opened",
    "opened_wholly",
    "unchanged",
    "unknown",
    "undecided",
];

#[test]
fn counts_are_those_of_the_origins() {
    let run = diff(&bench(), "old.parquet new.parquet --agent *,GPTBot --json -q").ends_with(1);
    let summary = run.json();
    assert_eq!(summary["origins"], json!({"in_both": 11, "only_old": 1, "only_new": 2}));
    assert_eq!(summary["something_closed"], true);
    for change in CHANGES {
        let count =
            |of: &dyn Fn(&Transition) -> bool| origins().iter().filter(|origin| of(origin)).count();
        let any = count(&|(.., any, _)| *any == change);
        assert_eq!(of_agent(&summary, "*")[change], any, "* {change}");
        let gptbot = count(&|(.., gptbot)| *gptbot == change);
        assert_eq!(of_agent(&summary, "GPTBot")[change], gptbot, "GPTBot {change}");
    }
}

#[test]
fn agents_that_are_answered_as_any_other_are_counted_there() {
    let bench = bench();
    let summary = diff(&bench, "old.parquet new.parquet --json").ends_with(1).json();
    let sum = |agent: &Value| -> u64 {
        let counts = CHANGES.iter().map(|change| agent[*change].as_u64().unwrap());
        counts.sum::<u64>() + agent["as_wildcard"].as_u64().unwrap()
    };
    let agents = summary["agents"].as_array().unwrap();
    assert!(agents.len() > 100, "{} agents", agents.len());
    assert!(agents.iter().all(|agent| sum(agent) == 11));
    assert_eq!(of_agent(&summary, "*")["as_wildcard"], 0);
    let gptbot = of_agent(&summary, "GPTBot");
    assert_eq!((&gptbot["closed_wholly"], &gptbot["as_wildcard"]), (&json!(1), &json!(10)));
    assert_eq!(of_agent(&summary, "CCBot")["as_wildcard"], 11);
    let text = diff(&bench, "old.parquet new.parquet").ends_with(1).stdout;
    assert!(
        text.starts_with("11 origins in both, 1 in old.parquet only, 2 in new.parquet only"),
        "{text}"
    );
    assert!(
        text.contains("* (any other)") && text.contains("GPTBot") && !text.contains("CCBot"),
        "{text}"
    );
}

#[test]
fn rows_are_origins_that_changed_with_what_shows_it() {
    let bench = bench();
    diff(&bench, "old.parquet new.parquet --agent * -o changes.parquet").ends_with(1);
    let table = bench.table("changes.parquet");
    let column = |name: &str| -> Vec<String> {
        table.texts(name).into_iter().map(|text| text.unwrap_or_else(|| "-".to_owned())).collect()
    };
    // In SURT order: labels from the right.
    assert_eq!(
        column("origin"),
        [
            "https://back.example",
            "https://gone.example",
            "https://less.example",
            "https://moved.example",
            "https://partly.example",
            "https://status.example",
            "https://wholly.example",
        ]
    );
    assert_eq!(
        column("change"),
        [
            "opened_wholly",
            "opened_wholly",
            "partly_opened",
            "closed_and_opened",
            "partly_closed",
            "closed_wholly",
            "closed_wholly",
        ]
    );
    assert_eq!(column("closed_path"), ["-", "-", "-", "/a/", "/admin/", "/", "/"]);
    assert_eq!(column("opened_path"), ["/", "/", "/admin/", "/admin/", "-", "-", "-"]);
    assert_eq!(column("old_allows"), ["nothing", "nothing", "some", "some", "all", "some", "some"]);
    assert_eq!(column("new_allows"), ["some", "all", "all", "some", "some", "nothing", "nothing"]);
    assert_eq!(
        column("old_basis"),
        ["rule", "rule", "rule", "no_rule", "no_rules", "no_rule", "no_rule"]
    );
    assert_eq!(
        column("new_basis"),
        ["no_rule", "unavailable", "no_rules", "rule", "rule", "unreachable", "rule"]
    );
    assert_eq!(column("new_pattern"), ["-", "-", "-", "/a/", "/admin/", "-", "/"]);
    assert_eq!(table.ints("old_line"), [Some(2), Some(2), Some(2), None, None, None, None]);
    assert_eq!(table.ints("new_line"), [None, None, None, Some(2), Some(2), None, Some(2)]);
    let statuses = [200, 404, 200, 200, 200, 503, 200];
    assert_eq!(table.ints("new_status"), statuses.map(Some));
    let digests: Vec<bool> = column("new_digest").iter().map(|digest| digest.len() == 64).collect();
    assert_eq!(digests, statuses.map(|status| status == 200));
}

#[test]
fn built_corpora_and_tables_answer_alike() {
    let bench = bench();
    for name in ["old", "new"] {
        let (table, corpus) = (format!("{name}.parquet"), format!("{name}.corpus"));
        bench.run(&["corpus", "build", &table, "-o", &corpus, "-q"]).ends_with(0);
    }
    let of = |arguments: &str| {
        let mut summary = diff(&bench, arguments).json();
        summary["old"] = Value::Null;
        summary["new"] = Value::Null;
        summary
    };
    let tables = of("old.parquet new.parquet --json");
    assert_eq!(of("old.corpus new.corpus --json"), tables);
    assert_eq!(of("old.corpus new.parquet --json"), tables);
    diff(&bench, "old.corpus new.corpus -o new.corpus/changes.parquet").ends_with(2);
    diff(&bench, "old.corpus old.corpus").ends_with(0);
}

#[test]
fn policies_and_times_decide_what_an_origin_says() {
    let bench = Bench::new();
    let origin = "https://a.example";
    let all = [robots(origin, ADMIN).hour(0), capture(origin).status(403).hour(48)];
    bench.robots("all.parquet", &all);
    bench.robots("old.parquet", &all[..1]);
    let change = |arguments: &str| {
        let summary = diff(&bench, &format!("{arguments} --agent GPTBot --json")).json();
        let agent = summary["agents"][0].clone();
        *CHANGES.iter().find(|change| agent[**change] == 1).unwrap()
    };
    assert_eq!(change("old.parquet all.parquet"), "partly_opened");
    assert_eq!(change("old.parquet all.parquet --policy closed"), "closed_wholly");
    assert_eq!(change("old.parquet all.parquet --status 403=disallow"), "closed_wholly");
    assert_eq!(change("old.parquet all.parquet --as-of 1970-01-01"), "unchanged");
    diff(&bench, "old.parquet all.parquet --as-of row").ends_with(2);
}

#[test]
fn json_has_the_settings_that_were_set_and_those_that_were_not() {
    let bench = bench();
    let judged =
        "--as-of 2024-05-01 --policy google --status 403=disallow --status none=allow --stale off";
    let more = "--fallback documented --body-limit 1000 --dialect google";
    let summary = diff(&bench, &format!("old.parquet new.parquet --json {judged} {more}")).json();
    let wanted = serde_json::json!({
        "dialect": "google", "policy": "google", "status_overrides": ["403=disallow", "none=allow"],
        "stale": "off", "as_of": "2024-05-01", "capture_window": "any", "nearest": false,
        "scope": "origin", "no_capture": "unknown", "fallback": "documented",
        "agent_kind": "auto", "body_limit": 1_000,
    });
    for (key, value) in wanted.as_object().unwrap() {
        assert_eq!(summary[key], *value, "{key}");
    }
    let usual = diff(&bench, "old.parquet new.parquet --json --policy google").json();
    assert_eq!((&usual["stale"], &usual["as_of"]), (&"2592000 s".into(), &"latest".into()));
}
