//! Made-up crawls resemble real ones: lengths, counts of rules, statuses, shared bodies, mixed verdicts.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tests report what fails by failing; shares of counts are small"
)]

use std::collections::HashMap;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Int16Type;
use robosift::workload::Workload;

fn workload(rows: u64, origins: u64) -> Workload {
    Workload::try_new(rows, origins, 1).unwrap()
}

fn strings<'a>(batch: &'a RecordBatch, column: &str) -> impl Iterator<Item = &'a str> {
    batch.column_by_name(column).unwrap().as_string::<i32>().iter().map(Option::unwrap_or_default)
}

/// What a plain scan of lines sees in a body.
#[derive(Debug, Default)]
struct Scan {
    rules: usize,
    groups: usize,
    star_rules: usize,
    dollar_rules: usize,
    model_crawlers: bool,
}

fn scan(body: &[u8]) -> Scan {
    let mut scan = Scan::default();
    let mut in_agents = false;
    for line in String::from_utf8_lossy(body).split(['\r', '\n']) {
        let line = line.split('#').next().unwrap_or_default().trim_start_matches('\u{feff}');
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "user-agent" => {
                scan.groups += usize::from(!in_agents);
                scan.model_crawlers |= value == "GPTBot" || value == "CCBot";
                in_agents = true;
            }
            "allow" | "disallow" => {
                scan.rules += 1;
                scan.star_rules += usize::from(value.contains('*'));
                scan.dollar_rules += usize::from(value.ends_with('$'));
                in_agents = false;
            }
            _ => {}
        }
    }
    scan
}

fn quantile(sorted: &[usize], share: f64) -> usize {
    sorted[(sorted.len() as f64 * share) as usize]
}

/// Whether `found` is within a factor of one and a half of `target`.
fn assert_near(what: &str, found: usize, target: usize) {
    assert!(found * 3 >= target * 2 && found * 2 <= target * 3, "{what}: {found}, not {target}");
}

fn share(count: usize, total: usize) -> f64 {
    count as f64 / total as f64
}

#[test]
fn bodies_have_the_rules_and_groups_of_real_ones() {
    let scans: Vec<Scan> = workload(120_000, 120_000).bodies().map(|body| scan(&body)).collect();
    assert_eq!(scans.len(), 20_000);
    let mut rules: Vec<usize> = scans.iter().map(|scan| scan.rules).collect();
    rules.sort_unstable();
    assert_near("rules, p50", quantile(&rules, 0.50), 13);
    assert_near("rules, p90", quantile(&rules, 0.90), 92);
    assert_near("rules, p99", quantile(&rules, 0.99), 532);
    assert!((8_000..40_000).contains(rules.last().unwrap()), "most rules {:?}", rules.last());
    let mut groups: Vec<usize> = scans.iter().map(|scan| scan.groups).collect();
    groups.sort_unstable();
    assert_eq!(quantile(&groups, 0.50), 1);
    assert_near("groups, p90", quantile(&groups, 0.90), 5);
    assert_near("groups, p99", quantile(&groups, 0.99), 89);
    assert_near("groups, most", *groups.last().unwrap(), 528);
    let files = |test: fn(&Scan) -> bool| share(scans.iter().filter(|s| test(s)).count(), 20_000);
    let star_files = files(|scan| scan.star_rules > 0);
    assert!((0.44..0.54).contains(&star_files), "files with a star {star_files}");
    let dollar_files = files(|scan| scan.dollar_rules > 0);
    assert!((0.13..0.19).contains(&dollar_files), "files with a dollar {dollar_files}");
    let model_files = files(|scan| scan.model_crawlers);
    assert!((0.08..0.30).contains(&model_files), "files that name model crawlers {model_files}");
    let star_rules =
        share(scans.iter().map(|scan| scan.star_rules).sum(), rules.iter().sum::<usize>());
    assert!((0.17..0.25).contains(&star_rules), "rules with a star {star_rules}");
}

#[test]
fn bodies_hold_the_odd_kinds() {
    let bodies: Vec<Vec<u8>> = workload(120_000, 120_000).bodies().collect();
    let count = |test: fn(&[u8]) -> bool| bodies.iter().filter(|body| test(body)).count();
    assert!(count(|b| b.starts_with(b"<!DOCTYPE html>")) > 100);
    assert!(count(|b| b.starts_with(&[0xff, 0xfe])) > 5);
    assert!(count(|b| b.starts_with(&[0xef, 0xbb, 0xbf])) > 200);
    assert!(count(|b| b.starts_with(&[0x1f, 0x8b])) > 5);
    assert!(count(|b| b.contains(&b'\r') && !b.contains(&b'\n')) > 5);
    assert!(count(|b| b.windows(2).any(|pair| pair == b"\r\n")) > 2_000);
    assert!(count(|b| b.split(|o| *o == b'\n').any(|line| line.len() > 16_663)) > 3);
    assert!(count(|b| b.iter().filter(|o| **o == b'*').count() == 52 && b.len() < 200) > 3);
    let oversized = count(|b| b.len() > 512_000);
    assert!((1..60).contains(&oversized), "{oversized} oversized bodies");
}

#[test]
fn urls_have_the_lengths_and_kinds_of_real_ones() {
    let (mut urls, mut octets, mut bad, mut queries, mut encoded, mut foreign, mut robots) =
        (0, 0, 0, 0, 0, 0, 0);
    for batch in workload(300_000, 5_000).row_batches() {
        for url in strings(&batch, "url") {
            urls += 1;
            octets += url.len();
            let lower = url.to_ascii_lowercase();
            bad += usize::from(!lower.starts_with("http") || lower.contains(":///"));
            queries += usize::from(url.contains('?'));
            encoded += usize::from(url.contains('%'));
            foreign += usize::from(!url.is_ascii());
            robots += usize::from(url.ends_with("/robots.txt"));
        }
    }
    let mean = share(octets, urls);
    assert!((65.0..85.0).contains(&mean), "mean length {mean}");
    assert!((0.0005..0.002).contains(&share(bad, urls)), "bad {bad}");
    assert!((0.05..0.25).contains(&share(queries, urls)), "queries {queries}");
    assert!((0.01..0.04).contains(&share(encoded, urls)), "encoded {encoded}");
    assert!((0.002..0.01).contains(&share(foreign, urls)), "foreign {foreign}");
    assert!((0.001..0.006).contains(&share(robots, urls)), "robots.txt {robots}");
}

#[test]
fn statuses_are_those_of_a_crawl() {
    let (mut statuses, mut bodies) = (HashMap::<i16, usize>::new(), HashMap::new());
    let (mut captures, mut lost, mut served, mut targets_held, mut targets) = (0, 0, 0, 0, 0);
    let batches: Vec<RecordBatch> = workload(60_000, 60_000).robots_batches().collect();
    let origins: std::collections::HashSet<&str> =
        batches.iter().flat_map(|batch| strings(batch, "origin")).collect();
    for batch in &batches {
        let status = batch.column_by_name("status").unwrap().as_primitive::<Int16Type>();
        let body = batch.column_by_name("body").unwrap().as_binary::<i32>();
        for row in 0..batch.num_rows() {
            captures += 1;
            *statuses.entry(status.value(row)).or_default() += 1;
            if status.value(row) == 200 {
                lost += usize::from(body.is_null(row));
                served += usize::from(body.is_valid(row));
                *bodies.entry(body.value(row).to_vec()).or_insert(0) += 1;
            }
        }
        for target in strings(batch, "redirect").filter(|target| !target.is_empty()) {
            targets += 1;
            let origin = target.strip_suffix("/robots.txt").unwrap_or_default();
            targets_held += usize::from(origins.contains(origin));
        }
    }
    let of = |low: i16, high: i16| {
        let count = statuses.iter().filter(|(status, _)| (low..=high).contains(*status));
        share(count.map(|(_, count)| count).sum(), captures)
    };
    for (low, high, least, most) in [
        (200, 200, 0.70, 0.74),
        (404, 404, 0.18, 0.22),
        (401, 403, 0.015, 0.025),
        (410, 410, 0.003, 0.009),
        (429, 429, 0.002, 0.004),
        (500, 599, 0.012, 0.018),
        (300, 399, 0.025, 0.035),
        (0, 0, 0.003, 0.007),
    ] {
        let found = of(low, high);
        assert!((least..most).contains(&found), "status {low} to {high}: {found}");
    }
    assert!((0.001..0.005).contains(&share(lost, captures)), "lost bodies {lost}");
    let held = share(targets_held, targets);
    assert!((0.70..0.95).contains(&held), "redirect targets held {held}");
    let distinct = bodies.len();
    assert!((7_000..=10_000).contains(&distinct), "{distinct} bodies of {served} captures");
    let most_shared = *bodies.values().max().unwrap();
    assert!(share(most_shared, served) > 0.02, "most shared {most_shared} of {served}");
}

/// Whether `pattern` matches the start of `path`; `*` and a final `$` only. Written for this test, slow and plain.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((b'$', [])) => path.is_empty(),
        Some((b'*', rest)) => (0..=path.len()).any(|skip| matches(rest, &path[skip..])),
        Some((octet, rest)) => path.first() == Some(octet) && matches(rest, &path[1..]),
    }
}

/// The rules (is allow, pattern) that a body has for CCBot or else for `*`.
fn rules_for_ccbot(body: &[u8]) -> Vec<(bool, String)> {
    let (mut own, mut all, mut named, mut agents, mut in_agents) =
        (Vec::new(), Vec::new(), false, Vec::new(), false);
    for line in String::from_utf8_lossy(body).split(['\r', '\n']) {
        let line = line.split('#').next().unwrap_or_default().trim_start_matches('\u{feff}');
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = value.trim().to_owned();
        let key = key.trim().to_ascii_lowercase();
        if key == "user-agent" {
            if !in_agents {
                agents.clear();
            }
            named |= value == "CCBot";
            agents.push(value);
            in_agents = true;
        } else if key == "allow" || key == "disallow" {
            in_agents = false;
            if value.is_empty() {
                continue;
            }
            let rule = (key == "allow", value);
            if agents.iter().any(|agent| agent == "CCBot") {
                own.push(rule.clone());
            }
            if agents.iter().any(|agent| agent == "*") {
                all.push(rule);
            }
        }
    }
    if named { own } else { all }
}

#[test]
fn verdicts_are_mixed() {
    let workload = workload(60_000, 3_000);
    let mut sites: HashMap<String, Vec<(bool, String)>> = HashMap::new();
    for batch in workload.robots_batches() {
        let status = batch.column_by_name("status").unwrap().as_primitive::<Int16Type>();
        let body = batch.column_by_name("body").unwrap().as_binary::<i32>();
        for (row, origin) in strings(&batch, "origin").enumerate() {
            let small = status.value(row) == 200 && body.value(row).len() < 100_000;
            let rules = if small { rules_for_ccbot(body.value(row)) } else { Vec::new() };
            sites.insert(origin.to_owned(), rules);
        }
    }
    let (mut refused, mut allowed_by_rule, mut urls) = (0, 0, 0);
    for batch in workload.row_batches() {
        for url in strings(&batch, "url").filter(|url| url.starts_with("http")) {
            let host = url.find("//").unwrap() + 2;
            let path = url[host..].find('/').map_or(url.len(), |at| host + at);
            let Some(rules) = sites.get(&url[..path]) else { continue };
            urls += 1;
            let path = if path == url.len() { "/" } else { &url[path..] };
            let best = rules
                .iter()
                .filter(|(_, pattern)| pattern.matches('*').count() < 9)
                .filter(|(_, pattern)| matches(pattern.as_bytes(), path.as_bytes()))
                .max_by_key(|(allow, pattern)| (pattern.len(), *allow));
            refused += usize::from(best.is_some_and(|(allow, _)| !allow));
            allowed_by_rule += usize::from(best.is_some_and(|(allow, _)| *allow));
        }
    }
    let refused_share = share(refused, urls);
    assert!((0.05..0.25).contains(&refused_share), "refused {refused_share}");
    assert!(share(allowed_by_rule, urls) > 0.01, "allowed by a rule {allowed_by_rule} of {urls}");
}
