//! Time and origins: redirects as of a row's time, the other scheme of a host, columns of each agent.

use crate::cli::{Bench, HOUR, Robots, capture, robots};
use crate::{CAPTURED, DAY, NO, NULL, YES, captured, judge, on, write_rows};

const REFUSING: &str = "User-agent: *\nDisallow: /x\n";
const ALLOWING: &str = "User-agent: *\nDisallow: /y\n";
const HTTP: &str = "http://a.example/robots.txt";
const HTTPS: &str = "https://a.example/robots.txt";

#[test]
fn redirects_are_those_of_the_row_s_time_and_so_are_their_targets() {
    let target = "https://t.example/robots.txt";
    let moved = |hour: i64| capture(HTTPS).status(301).redirect(target).hour(hour);
    let (one, two, three) = (CAPTURED[0] * 24, CAPTURED[1] * 24, CAPTURED[2] * 24);
    let bench = captured(&[
        moved(one),
        robots(target, REFUSING).hour(one + 2),
        robots(target, ALLOWING).hour(two - 25),
        moved(two),
        robots(target, ALLOWING).hour(three - 1),
        moved(three),
        robots(target, REFUSING).hour(three + 2),
    ]);
    // Hour of the row, of the capture that answers, basis, verdict, status.
    let cases = [
        (one - 1, None, "no_capture", NULL, None),
        // The target is the capture nearest to the redirect, whatever the row's time.
        (one, Some(one), "rule", NO, Some(200)),
        (one + 1_000, Some(one), "rule", NO, Some(200)),
        // No target within a day of this one.
        (two, Some(two), "redirect_unresolved", NULL, Some(301)),
        (two + 30, Some(two), "redirect_unresolved", NULL, Some(301)),
        (three, Some(three), "no_rule", YES, Some(200)),
    ];
    let times: Vec<i64> = cases.iter().map(|case| case.0 * HOUR).collect();
    write_rows(&bench, &["https://a.example/x"; 6], &times);
    let table = judge(&bench, "--agent GPTBot");
    let (captured, gaps) = (table.ints("robots_capture_time"), table.ints("robots_capture_gap_s"));
    let (flags, origins) = (table.ints("robots_flags"), table.texts("robots_origin"));
    for (row, (hour, of, basis, verdict, status)) in cases.into_iter().enumerate() {
        let got = (table.bases()[row].clone(), table.allowed()[row], captured[row], gaps[row]);
        let (time, gap) = (of.map(|of| of * HOUR), of.map(|of| (hour - of) * 3_600));
        assert_eq!(got, (basis.to_owned(), verdict, time, gap), "row {row}");
        assert_eq!(table.ints("robots_status")[row], status, "row {row}");
        assert_eq!(flags[row].map(|flags| flags & 256), of.map(|_| 256), "row {row}");
        assert_eq!(origins[row].as_deref(), Some("https://a.example"), "row {row}");
    }
}

/// Verdict, origin that answers, and day of the capture, for one row of http://a.example/x on each day.
#[track_caller]
fn check_http(bench: &Bench, more: &str, expected: &[(i64, Option<bool>, &str, Option<i64>)]) {
    let times: Vec<i64> = expected.iter().map(|row| row.0 * DAY).collect();
    write_rows(bench, &vec!["http://a.example/x"; times.len()], &times);
    let table = judge(bench, &format!("--agent GPTBot {more}"));
    let allowed: Vec<_> = expected.iter().map(|row| row.1).collect();
    assert_eq!(table.allowed(), allowed, "{more}");
    let origins: Vec<_> = expected.iter().map(|row| Some(row.2.to_owned())).collect();
    assert_eq!(table.texts("robots_origin"), origins, "{more}");
    let times: Vec<_> = expected.iter().map(|row| row.3.map(|day| day * DAY)).collect();
    assert_eq!(table.ints("robots_capture_time"), times, "{more}");
}

const OWN: &str = "http://a.example";
const TWIN: &str = "https://a.example";

#[test]
fn the_other_scheme_answers_where_it_alone_was_captured_by_then() {
    let [one, two, three, four] = CAPTURED;
    let bench = captured(&[
        on(robots(HTTPS, REFUSING), one),
        on(robots(HTTP, ALLOWING), two),
        on(robots(HTTPS, ALLOWING), three),
    ]);
    let by_row = |of_host: (Option<bool>, &'static str, Option<i64>)| {
        [
            (one - 1, NULL, OWN, None),
            (one, of_host.0, of_host.1, of_host.2),
            (two, YES, OWN, Some(two)),
            (four, YES, OWN, Some(two)),
        ]
    };
    check_http(&bench, "--as-of row", &by_row((NULL, OWN, None)));
    check_http(&bench, "--as-of row --scope origin", &by_row((NULL, OWN, None)));
    check_http(&bench, "--as-of row --scope host", &by_row((NO, TWIN, Some(one))));
    // The own capture is too old for the last row, that of the other scheme is not.
    let within = [
        (one, NO, TWIN, Some(one)),
        (two, YES, OWN, Some(two)),
        (three, YES, TWIN, Some(three)),
        (four, NULL, OWN, None),
    ];
    check_http(&bench, "--as-of row --scope host --capture-window 60d", &within);
    check_http(&bench, "--as-of latest --scope host", &[(one, YES, OWN, Some(two))]);
    check_http(&bench, "--as-of 2024-01-11 --scope host", &[(four, NO, TWIN, Some(one))]);
    check_http(&bench, "--as-of 2024-01-01 --scope host", &[(four, NULL, OWN, None)]);
}

#[test]
fn later_refusals_of_the_other_scheme_count_where_it_alone_was_captured() {
    let [one, two, three, four] = CAPTURED;
    let ever = "--as-of ever --scope host";
    let bench = captured(&[on(robots(HTTPS, ALLOWING), two), on(robots(HTTPS, REFUSING), three)]);
    let alone = [
        (one, NO, TWIN, Some(three)),
        (two, NO, TWIN, Some(three)),
        (three, NO, TWIN, Some(three)),
        (four, NO, TWIN, Some(three)),
    ];
    check_http(&bench, ever, &alone);
    check_http(&bench, "--as-of ever", &[(one, NULL, OWN, None), (four, NULL, OWN, None)]);
    // Own captures, earlier or later ones, are what counts where there are any.
    let bench = captured(&[
        on(robots(HTTPS, REFUSING), one),
        on(robots(HTTP, ALLOWING), three),
        on(robots(HTTPS, REFUSING), four),
    ]);
    let own =
        [(two, NULL, OWN, None), (three, YES, OWN, Some(three)), (four, YES, OWN, Some(three))];
    check_http(&bench, ever, &own);
}

#[test]
fn under_ever_each_agent_has_its_own_capture() {
    let [one, two, three, _] = CAPTURED;
    let of = |agent: &str| format!("User-agent: {agent}\nDisallow: /x\n");
    let bench = captured(&[
        on(robots(HTTPS, ALLOWING), one),
        on(robots(HTTPS, of("GPTBot")), two),
        on(robots(HTTPS, of("CCBot")), three),
    ]);
    write_rows(&bench, &["https://a.example/x"; 2], &[one * DAY, three * DAY]);
    let table = judge(&bench, "--agent GPTBot,CCBot,ClaudeBot --as-of ever");
    let day = |day: i64| Some(day * DAY);
    // The first visit that refuses decides; where none does, the one as of the row's time.
    type OfAgent = (&'static str, [Option<bool>; 2], [i64; 2], [&'static str; 2]);
    let expected: [OfAgent; 3] = [
        ("gptbot", [NO, YES], [two, three], ["rule", "no_group"]),
        ("ccbot", [NO, NO], [three, three], ["rule", "rule"]),
        ("claudebot", [YES, YES], [one, three], ["no_rule", "no_group"]),
    ];
    for (agent, allowed, days, bases) in expected {
        assert_eq!(table.bools(&format!("robots_allowed_{agent}")), allowed, "{agent}");
        let times = table.ints(&format!("robots_capture_time_{agent}"));
        assert_eq!(times, days.map(day), "{agent}");
        let gaps = table.ints(&format!("robots_capture_gap_s_{agent}"));
        assert_eq!(gaps, [(one - days[0]) * 86_400, (three - days[1]) * 86_400].map(Some));
        assert_eq!(
            table.texts(&format!("robots_basis_{agent}")),
            bases.map(|b| Some(b.to_owned()))
        );
        assert_eq!(table.ints(&format!("robots_status_{agent}")), [Some(200); 2]);
    }
    let digests = |agent: &str| table.texts(&format!("robots_digest_{agent}"));
    assert_ne!(digests("gptbot")[0], digests("ccbot")[0]);
    assert_eq!(digests("gptbot")[1], digests("ccbot")[1]);
    // The same, a row for each agent.
    let long = judge(&bench, "--agent GPTBot,CCBot,ClaudeBot --as-of ever --layout long");
    assert_eq!(long.allowed(), [NO, NO, YES, YES, NO, YES]);
    let times = [two, three, one, three, three, three].map(day);
    assert_eq!(long.ints("robots_capture_time"), times);
    // And what each row's own agent is told.
    let agents = crate::cli::strings(&["GPTBot", "CCBot"]);
    let urls = crate::cli::strings(&["https://a.example/x"; 2]);
    let times = crate::micros(&[day(one), day(one)]);
    bench.parquet("rows.parquet", vec![("url", urls), ("agent", agents), ("date", times)]);
    let table = judge(&bench, "--agent-column agent --as-of ever");
    assert_eq!(table.ints("robots_capture_time"), [two, three].map(day));
    assert_eq!(table.allowed(), [NO, NO]);
}

#[test]
fn undated_captures_are_older_than_any_row() {
    let undated = |body: &str| -> Robots { robots(HTTPS, body) };
    let bench = captured(&[undated(REFUSING), on(robots(HTTPS, ALLOWING), CAPTURED[1])]);
    write_rows(&bench, &["https://a.example/x"; 2], &[0, CAPTURED[1] * DAY]);
    let table = judge(&bench, "--agent GPTBot");
    assert_eq!(table.allowed(), [NO, YES]);
    assert_eq!(table.ints("robots_capture_time"), [None, Some(CAPTURED[1] * DAY)]);
    assert_eq!(table.ints("robots_capture_gap_s"), [None, Some(0)]);
    let table = judge(&bench, "--agent GPTBot --capture-window 99999d");
    assert_eq!(table.allowed(), [NULL, YES], "how old it is nobody knows");
}
