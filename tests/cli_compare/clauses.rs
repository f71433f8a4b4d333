//! Each row of the table of dialects that can differ for rows, and policies and times, makes its difference.

use crate::cli::{capture, robots};
use crate::{adds_up, bench, compare, differences};

struct Case {
    body: &'static str,
    agent: &'static str,
    path: &'static str,
    difference: &'static str,
    clause: &'static str,
    allowed: [bool; 2],
}

const CASES: [Case; 9] = [
    Case {
        body: "User-agent: *\nDisallow: /a~b\n",
        agent: "GPTBot",
        path: "/a%7Eb",
        difference: "verdict",
        clause: "normalisation",
        allowed: [false, true],
    },
    Case {
        body: "User-agent: AI2Bot\nDisallow: /\nUser-agent: *\nDisallow: /x\n",
        agent: "AI2Bot",
        path: "/y",
        difference: "verdict",
        clause: "whole_names",
        allowed: [false, true],
    },
    Case {
        body: "User-agent: GPTBot\nDisallow: /\n",
        agent: "GPTBot/1.0",
        path: "/y",
        difference: "verdict",
        clause: "cut_version",
        allowed: [false, true],
    },
    Case {
        body: "User-agent: *\nDisallow: /\n",
        agent: "GPTBot",
        path: "/robots.txt",
        difference: "verdict",
        clause: "robots_txt_allowed",
        allowed: [true, false],
    },
    Case {
        body: "User-agent: *\nDisallow: /d/\nAllow: /d/index.html\n",
        agent: "GPTBot",
        path: "/d/",
        difference: "verdict",
        clause: "index_html",
        allowed: [false, true],
    },
    Case {
        body: "User-agent: *\nDisallow: /a\n",
        agent: "GPTBot",
        path: ";x/a",
        difference: "verdict",
        clause: "path_start",
        allowed: [false, true],
    },
    Case {
        body: "User-agent: *\nDisallow: /x\n",
        agent: "GPTBot",
        path: "/robots.txt",
        difference: "basis",
        clause: "robots_txt_allowed",
        allowed: [true, true],
    },
    Case {
        body: "User-agent: *\nDisallow: /~a\nDisallow: /\n",
        agent: "GPTBot",
        path: "/%7Ea",
        difference: "rule",
        clause: "normalisation",
        allowed: [false, false],
    },
    Case {
        body: "User-agent: AI2Bot\nUser-agent: *\nDisallow: /x\n",
        agent: "AI2Bot",
        path: "/x",
        difference: "group",
        clause: "whole_names",
        allowed: [false, false],
    },
];

#[test]
fn each_clause_in_which_dialects_differ_makes_its_difference() {
    for case in &CASES {
        let url = format!("https://a.example{}", case.path);
        let bench = bench(&[robots("https://a.example", case.body)], &[&url]);
        let sides = "--corpus robots.parquet --as-of latest --left rfc9309 --right google --json";
        let run = compare(&bench, &format!("{sides} --agent {} rows.parquet", case.agent));
        adds_up(&run.ends_with(0).json(), 1);
        let clause = Some(case.clause.to_owned());
        let expected = (0, case.difference.to_owned(), clause, case.allowed.map(Some));
        assert_eq!(differences(&bench), [expected], "{} {}", case.agent, case.path);
    }
}

#[test]
fn a_line_limit_makes_its_difference() {
    let long = "x".repeat(17_000);
    let body = format!("User-agent: *\nDisallow: /{long}/end\n");
    // What google reads of the line matches, and so does the whole.
    let urls = [format!("https://a.example/{long}/end"), format!("https://a.example/{long}")];
    let bench = bench(&[robots("https://a.example", body)], &urls.each_ref().map(String::as_str));
    let sides = "--corpus robots.parquet --as-of latest --left rfc9309 --right google";
    compare(&bench, &format!("{sides} --agent GPTBot rows.parquet")).ends_with(0);
    let clause = Some("line_limit".to_owned());
    assert_eq!(differences(&bench), [(1, "verdict".to_owned(), clause, [Some(true), Some(false)])]);
}

#[test]
fn what_only_several_clauses_make_is_told_together() {
    // The name counts in the one dialect alone, and so does the form of the path.
    let body = "User-agent: AI2Bot\nDisallow: /\nUser-agent: *\nDisallow: /a\u{e9}\nAllow: /\n";
    let bench = bench(&[robots("https://a.example", body)], &["https://a.example/robots.txt"]);
    let sides = "--corpus robots.parquet --as-of latest --left rfc9309 --right google";
    compare(&bench, &format!("{sides} --agent AI2Bot rows.parquet")).ends_with(0);
    let [(_, kind, clause, _)] = &differences(&bench)[..] else { panic!("one row") };
    assert_eq!(kind, "rule");
    assert_eq!(clause.as_deref(), Some("whole_names+robots_txt_allowed"));
}

/// Statuses, sides, and for each status the clause and the verdicts, where they differ.
type Policy = (&'static str, &'static str, [Option<(&'static str, [Option<bool>; 2])>; 4]);

#[test]
fn policies_and_statuses_make_their_difference() {
    let statuses = [403, 429, 503, 404];
    let captures = statuses.map(|code| capture(&format!("https://s{code}.example")).status(code));
    let urls = statuses.map(|code| format!("https://s{code}.example/x"));
    let (shut, open) = ([Some(true), Some(false)], [Some(false), Some(true)]);
    let cases: [Policy; 5] = [
        ("rfc9309", "closed", [Some(("policy", shut)), Some(("policy", shut)), None, None]),
        ("policy=rfc9309", "policy=google", [None, Some(("policy", shut)), None, None]),
        ("closed", "commoncrawl", [None; 4]),
        (
            "rfc9309",
            "status=503=allow,status=404=disallow",
            [None, None, Some(("status", open)), Some(("status", shut))],
        ),
        (
            "status=4xx=unknown",
            "status=4xx=allow",
            [
                Some(("status", [None, Some(true)])),
                Some(("status", [None, Some(true)])),
                None,
                Some(("status", [None, Some(true)])),
            ],
        ),
    ];
    for (left, right, expected) in cases {
        let bench = bench(&captures, &urls.each_ref().map(String::as_str));
        let sides = format!("--left {left} --right {right} --as-of latest --json");
        let run = compare(
            &bench,
            &format!("--corpus robots.parquet {sides} --agent GPTBot rows.parquet"),
        );
        let expected: Vec<_> = (0..)
            .zip(expected)
            .filter_map(|(row, expected)| {
                let (clause, allowed) = expected?;
                Some((row, "verdict".to_owned(), Some(clause.to_owned()), allowed))
            })
            .collect();
        adds_up(&run.ends_with(0).json(), expected.len());
        assert_eq!(differences(&bench), expected, "{left} {right}");
    }
}

#[test]
fn dates_windows_and_limits_make_their_difference() {
    let at = |hour: i64, body: &str| robots("https://a.example", body).hour(hour);
    let captures = [
        at(24, "User-agent: *\nDisallow: /x\n"),
        at(24 * 30, "User-agent: *\n#\nDisallow: /x\nDisallow: /y\n"),
    ];
    let urls = ["https://a.example/x", "https://a.example/y", "https://a.example/z"];
    let cases = [
        ("1970-01-10", "latest", vec![(0, "rule", "as_of"), (1, "verdict", "as_of")]),
        ("1970-01-10", "1970-01-20", vec![]),
        (
            "1970-01-20",
            "1970-01-20,capture-window=5d",
            vec![
                (0, "verdict", "capture_window"),
                (1, "verdict", "capture_window"),
                (2, "verdict", "capture_window"),
            ],
        ),
        (
            "latest",
            "latest,body-limit=20",
            vec![
                (0, "verdict", "body_limit"),
                (1, "verdict", "body_limit"),
                (2, "basis", "body_limit"),
            ],
        ),
    ];
    for (left, right, expected) in cases {
        let bench = bench(&captures, &urls);
        let sides = format!("--left {left} --right {right} --json");
        let run = compare(
            &bench,
            &format!("--corpus robots.parquet {sides} --agent GPTBot rows.parquet"),
        );
        adds_up(&run.ends_with(0).json(), expected.len());
        let found = differences(&bench);
        let found: Vec<_> = found
            .iter()
            .map(|(row, kind, clause, _)| (*row, kind.as_str(), clause.as_deref().unwrap()))
            .collect();
        assert_eq!(found, expected, "{left} {right}");
    }
}

#[test]
fn fallbacks_and_scopes_make_their_difference() {
    let body = "User-agent: Googlebot\nDisallow: /g\n";
    let bench =
        bench(&[robots("https://a.example", body)], &["https://a.example/g", "http://a.example/g"]);
    let both = "--corpus robots.parquet --as-of latest --agent Googlebot-News rows.parquet";
    compare(&bench, &format!("{both} --left fallback=none --right fallback=documented"))
        .ends_with(0);
    let known =
        |row, clause: &str, allowed| (row, "verdict".to_owned(), Some(clause.to_owned()), allowed);
    assert_eq!(differences(&bench), [known(0, "fallback", [Some(true), Some(false)])]);
    compare(&bench, &format!("{both} --left rfc9309 --right scope=host")).ends_with(0);
    assert_eq!(differences(&bench), [known(1, "scope", [None, Some(true)])]);
    compare(&bench, &format!("{both} --left rfc9309 --right scope=host,fallback=documented"))
        .ends_with(0);
    assert_eq!(
        differences(&bench),
        [
            known(0, "fallback", [Some(true), Some(false)]),
            // Known by the scope alone; refused by both only.
            known(1, "scope+fallback", [None, Some(false)])
        ]
    );
}
