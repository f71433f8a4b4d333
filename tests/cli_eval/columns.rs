//! Verdict columns: names, types, order, values, and the numbers inside rule ids.

use crate::cli::{Bench, HOUR, capture, robots};
use arrow::datatypes::{DataType, TimeUnit};

const STANDARD: [&str; 4] = ["robots_allowed", "robots_basis", "robots_rule_id", "robots_group"];

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn small() -> Bench {
    let bench = Bench::new();
    let body = "User-agent: *\nAllow: /a/b\nDisallow: /a/*/c$\n\nUser-agent: GPTBot\nDisallow: /caf\u{e9}\n";
    bench.robots(
        "robots.parquet",
        &[
            robots("https://www.example.com", body).hour(100).content_type("text/html"),
            capture("http://www.example.com")
                .status(301)
                .redirect("https://www.example.com/robots.txt")
                .hour(99),
            capture("https://down.example.com").status(503).hour(98),
        ],
    );
    bench.urls(
        "rows.parquet",
        &[
            "https://www.example.com/caf%C3%A9/x",
            "http://www.example.com/caf%c3%a9",
            "https://www.example.com/other",
            "https://down.example.com/",
            "https://nowhere.example.com/",
            "nonsense",
        ],
    );
    bench
}

#[test]
fn standard_columns_have_plain_types_in_a_fixed_order() {
    let bench = small();
    let table = bench.verdicts("--corpus robots.parquet --agent GPTBot rows.parquet");
    let schema = table.batch.schema();
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| (field.name().as_str(), field.data_type().clone(), field.is_nullable()))
        .collect();
    let expected = [
        (STANDARD[0], DataType::Boolean, true),
        (STANDARD[1], DataType::Utf8, false),
        (STANDARD[2], DataType::Int64, true),
        (STANDARD[3], DataType::Utf8, true),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn full_columns_hold_every_value() {
    let bench = small();
    let table =
        bench.verdicts("--corpus robots.parquet --agent GPTBot --columns full rows.parquet");
    let none = || None::<String>;
    let verdicts = [Some(false), Some(false), Some(true), Some(false), None, None];
    assert_eq!(table.allowed(), verdicts);
    let bases = ["rule", "rule", "no_rule", "unreachable", "no_capture", "bad_url"];
    assert_eq!(table.bases(), bases);
    let rules = table.rules();
    assert_eq!(rules[0].unwrap().1, 6);
    assert_eq!(rules[0], rules[1]);
    assert_eq!(rules[2..], [None; 4]);
    assert_eq!(table.ints("robots_row"), [0, 1, 2, 3, 4, 5].map(Some));
    assert_eq!(table.ints("robots_line"), [Some(6), Some(6), None, None, None, None]);
    let patterns = table.texts("robots_pattern");
    assert_eq!(patterns[2..], [none(), none(), none(), none()]);
    // As written or as normalised: the page leaves it open, but one of the two.
    let written = patterns[0].clone().unwrap();
    assert!(written == "/caf\u{e9}" || written == "/caf%C3%A9", "{written}");
    let rules = [some("disallow"), some("disallow"), none(), none(), none(), none()];
    assert_eq!(table.texts("robots_rule"), rules);
    // `/caf` and one letter of two octets, each of them three when escaped.
    assert_eq!(table.ints("robots_specificity")[..3], [Some(10), Some(10), None]);
    let groups = table.texts("robots_group");
    assert_eq!(groups[..4], [some("named"), some("named"), some("named"), none()]);
    let tokens = table.texts("robots_token");
    assert_eq!(tokens[0].as_deref().map(str::to_ascii_lowercase), some("gptbot"));
    assert_eq!(tokens[3], none());
    let agents = table.texts("robots_agent");
    assert!(agents.iter().all(|agent| agent.as_deref() == Some("GPTBot")), "{agents:?}");
}

#[test]
fn full_columns_tell_which_capture_answered() {
    let bench = small();
    let table =
        bench.verdicts("--corpus robots.parquet --agent GPTBot --columns full rows.parquet");
    let origins = table.texts("robots_origin");
    assert_eq!(origins[0], some("https://www.example.com"));
    assert_eq!(origins[1], some("http://www.example.com"));
    assert_eq!(origins[3], some("https://down.example.com"));
    assert_eq!(origins[5], None);
    // Redirected captures keep the time of their first hop.
    let times = table.ints("robots_capture_time");
    let hours = [Some(100), Some(99), Some(100), Some(98), None, None];
    assert_eq!(times, hours.map(|hour: Option<i64>| hour.map(|hour| hour * HOUR)));
    assert_eq!(table.ints("robots_status")[3..], [Some(503), None, None]);
    assert_eq!(table.ints("robots_status")[0], Some(200));
    assert_eq!(table.bools("robots_stale")[..4], [Some(false); 4]);
    let digests = table.texts("robots_digest");
    assert_eq!(digests[0].as_ref().unwrap().len(), 64);
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[3..], [None, None, None]);
    let flags = table.ints("robots_flags");
    assert_eq!(flags[0].unwrap() & 512, 512, "declared as a web page");
    assert_eq!(flags[0].unwrap() & 256, 0);
    assert_eq!(flags[1].unwrap() & 256, 256, "redirected");
}

#[test]
fn full_columns_have_plain_types() {
    let bench = small();
    let table =
        bench.verdicts("--corpus robots.parquet --agent GPTBot --columns full rows.parquet");
    let schema = table.batch.schema();
    let kind = |name: &str| schema.field_with_name(name).unwrap().data_type().clone();
    let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let expected = [
        ("robots_row", DataType::Int64),
        ("robots_line", DataType::Int32),
        ("robots_pattern", DataType::Utf8),
        ("robots_rule", DataType::Utf8),
        ("robots_specificity", DataType::Int32),
        ("robots_agent", DataType::Utf8),
        ("robots_token", DataType::Utf8),
        ("robots_origin", DataType::Utf8),
        ("robots_capture_time", utc),
        ("robots_status", DataType::Int16),
        ("robots_stale", DataType::Boolean),
        ("robots_flags", DataType::Int32),
        ("robots_digest", DataType::Utf8),
    ];
    for (name, wanted) in expected {
        assert_eq!(kind(name), wanted, "{name}");
    }
}

#[test]
fn columns_by_name_are_those_and_no_others() {
    let bench = small();
    let fixed = "--corpus robots.parquet --agent GPTBot rows.parquet --columns";
    let table = bench.verdicts(&format!("{fixed} robots_line,robots_allowed"));
    let mut names = table.names();
    names.sort();
    assert_eq!(names, ["robots_allowed", "robots_line"]);
    assert_eq!(table.ints("robots_line")[..2], [Some(6), Some(6)]);
    let run = bench.eval(&format!("{fixed} robots_nonsense -o no.parquet")).ends_with(2);
    run.says(&["robots_nonsense", "robots_pattern"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn rule_ids_number_bodies_in_surt_order_of_the_first_origin() {
    let bench = Bench::new();
    let body = |path: &str| format!("User-agent: *\n# {path}\nDisallow: /{path}\n");
    // SURT: com,example < com,example,www < net,a < org,aa
    bench.robots(
        "robots.parquet",
        &[
            robots("https://aa.org", body("org")),
            robots("https://a.net", body("com")),
            robots("https://www.example.com", body("www")),
            robots("https://example.com", body("com")),
            robots("https://zz.org", body("org")),
        ],
    );
    let urls = [
        "https://example.com/com",
        "https://www.example.com/www",
        "https://a.net/com",
        "https://aa.org/org",
        "https://zz.org/org",
    ];
    bench.urls("rows.parquet", &urls);
    let table = bench.verdicts("--corpus robots.parquet --agent GPTBot rows.parquet");
    let rules: Vec<_> = table.rules().into_iter().map(Option::unwrap).collect();
    assert!(rules.iter().all(|(_, line)| *line == 3), "{rules:?}");
    let first = rules[0].0;
    let bodies: Vec<i64> = rules.iter().map(|(body, _)| body - first).collect();
    assert_eq!(bodies, [0, 1, 0, 2, 2]);
    assert!((0..2).contains(&first), "{first}");
}
