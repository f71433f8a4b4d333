//! What finding causes costs: a body is compiled anew as often as settings need, however its rows are mixed with others.

use crate::cli::{Bench, robots};
use crate::{adds_up, bench, compare};

/// More origins with long bodies than fit where programs are kept, and a URL of each that dialects judge differently.
fn long_bodies() -> (Bench, Vec<String>) {
    let origins: Vec<String> = (0..12).map(|n| format!("https://s{n}.example")).collect();
    let body = |origin: &String| {
        let rules = (0..15_000).map(|n| format!("Disallow: /{origin}/{n:06}"));
        let rules: Vec<String> = rules.collect();
        format!("User-agent: *\nDisallow: /a~b\n{}\n", rules.join("\n"))
    };
    let captures: Vec<_> = origins.iter().map(|origin| robots(origin, body(origin))).collect();
    (bench(&captures, &[]), origins)
}

#[test]
fn mixed_rows_compile_no_more_bodies_than_sorted_ones() {
    let (bench, origins) = long_bodies();
    let url = |origin: &String, n: usize| format!("{origin}/a%7Eb/{n}");
    let mixed: Vec<String> =
        (0..6).flat_map(|n| origins.iter().map(move |origin| url(origin, n))).collect();
    let mut sorted = mixed.clone();
    sorted.sort();
    let compiled = [mixed, sorted].map(|urls| {
        bench.urls("rows.parquet", &urls.iter().map(String::as_str).collect::<Vec<_>>());
        let sides = "--corpus robots.parquet --as-of latest --left rfc9309 --right google --json";
        let json =
            compare(&bench, &format!("{sides} --agent GPTBot rows.parquet")).ends_with(0).json();
        adds_up(&json, urls.len());
        json["bodies_compiled"].as_u64().unwrap()
    });
    let [mixed, sorted] = compiled;
    // One setting makes each difference; each of the flags that programs depend on was tried alone.
    assert_eq!((mixed, sorted), (12 * 5, 12 * 5));
}
