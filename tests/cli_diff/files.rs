//! Two robots.txt files.

use serde_json::json;

use crate::cli::Bench;

const OLD: &str = "\
User-agent: *
Disallow: /admin/
Disallow: /search

User-agent: GPTBot
User-agent: CCBot
Allow: /
";

const NEW: &str = "\
User-agent: *
Disallow: /admin
Allow: /search/about$
Disallow: /search

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: AI2Bot
Disallow: /admin/
Disallow: /search
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("old.txt", OLD);
    bench.write("new.txt", NEW);
    bench
}

#[test]
fn what_changed_is_printed_for_each_outcome() {
    let run = bench().run(&["diff", "old.txt", "new.txt"]).ends_with(1);
    let wanted = "\
old.txt → new.txt, dialect rfc9309

GPTBot, CCBot: 1 rule closes paths; now nothing is allowed
  closed  /  old line 7: Allow: /  new line 8: Disallow: /

any other agent (*): 1 rule closes paths, paths of 1 rule opened
  closed  /admin  old: no rule matches  new line 2: Disallow: /admin
  opened  /search/about  old line 3: Disallow: /search  new line 3: Allow: /search/about$

AI2Bot, AI: unchanged
";
    assert_eq!(run.stdout, wanted);
}

#[test]
fn the_exit_code_is_1_only_where_something_closed() {
    let bench = bench();
    for (arguments, code) in [
        ("old.txt new.txt", 1),
        ("old.txt old.txt", 0),
        ("old.txt new.txt --agent AI2Bot", 0),
        ("old.txt new.txt --agents @consent-in-crisis -q", 1),
        ("new.txt old.txt --agent GPTBot,CCBot", 0),
        ("new.txt old.txt --agent Bingbot", 1),
        ("old.txt new.txt --agent GPTBot --dialect google", 1),
        ("old.txt new.txt --agent @no-such-set", 2),
        ("old.txt new.txt -o changes.parquet", 2),
        ("old.txt", 2),
        ("old.txt absent.txt", 4),
    ] {
        let words: Vec<&str> = ["diff"].into_iter().chain(arguments.split(' ')).collect();
        let run = bench.run(&words).ends_with(code);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
    let run = bench.run(&["diff", "old.txt", "new.txt", "-q"]).ends_with(1);
    assert_eq!(run.stdout, "");
}

#[test]
fn json_tells_the_same() {
    let run = bench().run(&["diff", "old.txt", "new.txt", "--json", "--agent", "*"]).ends_with(1);
    let wanted = json!({
        "schema_version": 1,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": "old.txt",
        "new": "new.txt",
        "dialect": "rfc9309",
        "something_closed": true,
        "something_opened": true,
        "agents": [{
            "agents": ["*"],
            "old_allows": "some",
            "new_allows": "some",
            "complete": true,
            "closed": [{
                "path": "/admin",
                "old": {"basis": "no_rule", "rule": null},
                "new": {"basis": "rule", "rule": {
                    "line": 2, "kind": "disallow", "written": "Disallow: /admin", "pattern": "/admin",
                }},
            }],
            "opened": [{
                "path": "/search/about",
                "old": {"basis": "rule", "rule": {
                    "line": 3, "kind": "disallow", "written": "Disallow: /search", "pattern": "/search",
                }},
                "new": {"basis": "rule", "rule": {
                    "line": 3, "kind": "allow", "written": "Allow: /search/about$", "pattern": "/search/about$",
                }},
            }],
        }],
    });
    assert_eq!(run.json(), wanted);
}

#[test]
fn octets_that_would_move_a_terminal_are_written_out() {
    let bench = Bench::new();
    bench.write("old.txt", "");
    bench
        .write("new.txt", "User-agent: \u{1b}[2J\u{202e}x\nUser-agent: *\nDisallow: /\u{1b}[31m\n");
    let run = bench.run(&["diff", "old.txt", "new.txt"]).ends_with(1);
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{}", run.stdout);
}

#[test]
fn a_file_and_a_corpus_are_not_compared() {
    let bench = bench();
    bench.robots("robots.parquet", &[crate::cli::robots("https://a.example", OLD)]);
    bench.run(&["diff", "old.txt", "robots.parquet"]).ends_with(2).says(&["two of a kind"]);
}

#[test]
fn either_file_may_come_by_standard_input() {
    let bench = bench();
    let files = bench.run(&["diff", "old.txt", "new.txt"]).ends_with(1).stdout;
    let old = bench.run_with(&["diff", "-", "new.txt"], OLD.as_bytes()).ends_with(1);
    assert_eq!(old.stdout.replace("<stdin>", "old.txt"), files);
    let new = bench.run_with(&["diff", "old.txt", "-"], NEW.as_bytes()).ends_with(1);
    assert_eq!(new.stdout.replace("<stdin>", "new.txt"), files);
    bench.run_with(&["diff", "-", "-"], b"").ends_with(2).says(&["only one of OLD and NEW"]);
}

#[test]
fn no_more_is_read_than_counts() {
    let bench = bench();
    let limit = ["--body-limit", "30", "-q"];
    let words = |old, new| [&["diff", old, new][..], &limit].concat();
    bench
        .run(&words("old.txt", "old.txt"))
        .ends_with(0)
        .says(&["old.txt has more than 30 octets, of which 30 are read (--body-limit)"]);
    // What stands behind the limit does not count, be it without end.
    let long = [&OLD.as_bytes()[..30], &vec![b'x'; 1 << 20][..]].concat();
    bench.run_with(&words("old.txt", "-"), &long).ends_with(0).says(&["<stdin> has more than 30"]);
}

#[test]
fn of_many_outcomes_the_first_are_printed() {
    let bench = Bench::new();
    let body = |rule: &str| -> String {
        let group = |n: u8| {
            let name = [n / 26, n % 26].map(|n| char::from(b'a' + n));
            format!("User-agent: bot-{}{}\n{rule}: /{n}/\n", name[0], name[1])
        };
        (0..80).map(group).collect()
    };
    bench.write("old.txt", body("Allow"));
    bench.write("new.txt", body("Disallow"));
    let run = bench.run(&["diff", "old.txt", "new.txt"]).ends_with(1);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("  closed")).count(), 50);
    // The last of all is `*`, for whom nothing changed.
    let last = "… 31 outcomes of 31 agents more, paths closed in 30 of them; --json has all";
    assert_eq!(run.stdout.lines().last(), Some(last));
    let json = bench.run(&["diff", "old.txt", "new.txt", "--json"]).ends_with(1).json();
    assert_eq!(json["agents"].as_array().unwrap().len(), 81);
}
