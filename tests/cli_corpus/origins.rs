//! Spellings of hosts, schemes, ports: what is one origin, and what is not.

use crate::cli::{Bench, robots};

const BODY: &str = "User-agent: *\nDisallow: /x\nDisallow: /?x\n";

/// Bases of the rows, all judged by one capture of `origin`.
fn bases(origin: &str, urls: &[&str]) -> Vec<String> {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[robots(origin, BODY)]);
    bench.urls("rows.parquet", urls);
    let table = bench.verdicts("--corpus robots.parquet --agent GPTBot rows.parquet");
    table.bases()
}

#[track_caller]
fn same(origin: &str, urls: &[&str]) {
    let found = bases(origin, urls);
    urls.iter()
        .zip(&found)
        .for_each(|(url, basis)| assert_eq!(basis, "rule", "{origin} and {url}"));
}

#[track_caller]
fn other(origin: &str, urls: &[&str]) {
    let found = bases(origin, urls);
    let pairs = urls.iter().zip(&found);
    pairs.for_each(|(url, basis)| assert_eq!(basis, "no_capture", "{origin} and {url}"));
}

#[test]
fn br190_international_names_are_one_in_every_spelling() {
    let urls = [
        "https://exampl\u{e9}.example/x",
        "https://EXAMPL\u{c9}.example/x",
        "https://ExAmpl\u{e9}.EXAMPLE/x",
        "https://xn--exampl-gva.example/x",
        "https://XN--EXAMPL-GVA.example/x",
        "https://exampl%C3%A9.example/x",
        "https://exampl%c3%89.example/x",
        "https://exampl\u{e9}.example./x",
        "https://exampl\u{e9}\u{3002}example/x",
        "https://example\u{301}.example/x",
    ];
    same("https://xn--exampl-gva.example", &urls);
    same("https://exampl\u{e9}.example", &urls);
    same("https://EXAMPL%C3%89.example.", &urls);
}

#[test]
fn br191_escapes_case_and_the_trailing_dot() {
    let urls = [
        "https://exampl%65.org/x",
        "https://example.org./x",
        "https://EXAMPLE.org/x",
        "HTTPS://example.ORG/x",
        "https://example%2Eorg/x",
        "https://example.org:443/x",
        "https://example.org:/x",
        "https://user:secret@example.org/x",
        "https://user@example.org:443/x",
        "https://example.org:0443/x",
    ];
    same("https://example.org", &urls);
    same("https://EXAMPLE.org.:443/", &urls);
}

#[test]
fn br194_a_subdomain_is_another_origin() {
    let urls = [
        "https://shop.example.com/x",
        "https://example.com/x",
        "https://www.www.example.com/x",
        "https://www.example.com.example/x",
    ];
    other("https://www.example.com", &urls);
}

#[test]
fn br197_the_query_and_the_fragment_are_no_part_of_the_host() {
    same("https://example.com", &["https://example.com?x=1", "https://example.com/?x#a"]);
    let found = bases("https://example.com", &["https://example.com/#a", "https://example.com#?x"]);
    assert_eq!(found, ["no_rule"; 2]);
    let found = bases(
        "https://example.com",
        &["https://example.com?@evil.example/x", "https://example.com#@evil.example/x"],
    );
    assert_eq!(found, ["no_rule"; 2]);
    let found = bases("https://example.com", &["https://example.com;x"]);
    assert_eq!(found, ["no_rule"]);
}

#[test]
fn schemes_and_ports_are_other_origins() {
    let urls = ["http://example.com/x", "https://example.com:8443/x", "https://example.com:80/x"];
    other("https://example.com", &urls);
    other("http://example.com", &["https://example.com/x", "http://example.com:443/x"]);
    same("http://example.com:80", &["http://example.com/x", "http://example.com:80/x"]);
    same("https://example.com:8443", &["https://EXAMPLE.com.:8443/x"]);
}

#[test]
fn addresses_are_hosts() {
    same("http://192.0.2.1", &["http://192.0.2.1/x", "http://192.0.2.1:80/x"]);
    same("http://[2001:db8::1]:8080", &["http://[2001:DB8::1]:8080/x"]);
    other("http://[2001:db8::1]:8080", &["http://[2001:db8::1]/x"]);
}

#[test]
fn what_is_no_absolute_http_url_with_a_host_is_bad() {
    let urls = [
        "ftp://example.com/x",
        "//example.com/x",
        "/x",
        "example.com/x",
        "https:///x",
        "https://",
        "https:/example.com/x",
        "mailto:a@example.com",
        "",
        "https://:443/x",
        "https://user@/x",
    ];
    let found = bases("https://example.com", &urls);
    urls.iter().zip(&found).for_each(|(url, basis)| assert_eq!(basis, "bad_url", "{url}"));
}
