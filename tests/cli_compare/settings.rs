//! The grammar of `--left` and `--right`, and what makes no sense.

use crate::cli::robots;
use crate::{bench, compare, differences};

const BODY: &str = "User-agent: *\nDisallow: /x\n";

#[test]
fn settings_that_are_none_are_refused_with_what_there_is() {
    let cases = [
        ("--left nonsense --right google", "`nonsense` is no setting"),
        ("--left rfc9309 --right colour=red", "one of corpus, dialect, policy"),
        (
            "--left rfc9309 --right policy=open",
            "possible values: rfc9309, google, closed, commoncrawl",
        ),
        ("--left rfc9309 --right as-of=never", "--as-of takes row"),
        ("--left rfc9309 --right status=403=maybe", "STATUS=VERDICT"),
        ("--left rfc9309 --right capture-window=1d", "needs a time"),
        ("--left rfc9309 --right google --resume", "nothing to --resume"),
        ("--left rfc9309 --right google --agent /1.0", "not an agent"),
        ("--left rfc9309", "--right"),
    ];
    let bench = bench(&[robots("https://a.example", BODY)], &["https://a.example/x"]);
    for (sides, message) in cases {
        let both = "--corpus robots.parquet --agent GPTBot rows.parquet";
        compare(&bench, &format!("{both} {sides}")).ends_with(2).says(&[message]);
        assert!(!bench.exists("out.parquet"));
    }
    let run = compare(&bench, "--agent GPTBot rows.parquet --left rfc9309 --right google");
    run.ends_with(2).says(&["no corpus is given for --left"]);
}

#[test]
fn a_side_stands_on_what_holds_for_both() {
    let both = "--corpus robots.parquet --as-of latest --agent GPTBot rows.parquet";
    let bench = bench(
        &[robots("https://a.example", "").status(403), robots("https://b.example", "").status(404)],
        &["https://a.example/x", "https://b.example/x"],
    );
    // The same set for both is no difference; the side's own status counts after the common one.
    let settings =
        "--policy closed --status 404=disallow --left rfc9309 --right status=404=unknown";
    compare(&bench, &format!("{both} {settings}")).ends_with(0);
    let clause = Some("status".to_owned());
    assert_eq!(differences(&bench), [(1, "verdict".to_owned(), clause, [Some(false), None])]);
}

#[test]
fn ways_that_are_the_same_differ_in_nothing() {
    let both = "--corpus robots.parquet --agent GPTBot,CCBot rows.parquet --json";
    let bench = bench(&[robots("https://a.example", BODY)], &["https://a.example/x", "bad"]);
    let json =
        compare(&bench, &format!("{both} --left rfc9309 --right dialect=rfc9309,as-of=latest"))
            .ends_with(0)
            .json();
    assert_eq!((&json["differences"], &json["all"]["same"]), (&0.into(), &4.into()));
    assert_eq!(bench.table("out.parquet").num_rows(), 0);
}

#[test]
fn json_has_all_settings_of_both_sides_however_they_were_given() {
    let both = "--corpus robots.parquet --agent GPTBot rows.parquet --json --as-of latest";
    let bench = bench(&[robots("https://a.example", BODY)], &["https://a.example/x"]);
    let sides = "--status 403=disallow --scope host --left google,stale=2d --right closed,status=404=unknown,no-capture=allow,as-of=2024-05-01,capture-window=1d,nearest";
    let json = compare(&bench, &format!("{both} {sides}")).ends_with(0).json();
    let wanted = serde_json::json!({
        "left": {
            "dialect": "google", "policy": "rfc9309", "status_overrides": ["403=disallow"],
            "stale": "172800 s", "as_of": "latest", "capture_window": "any", "nearest": false,
            "scope": "host", "no_capture": "unknown", "settings": "google,stale=2d",
        },
        "right": {
            "dialect": "rfc9309", "policy": "closed",
            "status_overrides": ["403=disallow", "404=unknown"], "stale": "off",
            "as_of": "2024-05-01", "capture_window": "86400 s", "nearest": true, "scope": "host",
            "no_capture": "allow", "corpus_paths": ["robots.parquet"],
        },
    });
    for side in ["left", "right"] {
        for (key, value) in wanted[side].as_object().unwrap() {
            assert_eq!(json[side][key], *value, "{side} {key}");
        }
    }
}
