//! `corpus rules`, `captures` and `records`: every row of the tables they write.

use arrow::array::{Array, AsArray};

use crate::cli::{Bench, Table};
use crate::crawl::{BODIES, CAPTURES, CLOSED, NOTHING, SHOP, bench, digest, run};

/// Writes a table and reads it; `--json` tells its rows and octets.
fn table(bench: &Bench, what: &str) -> Table {
    let output = format!("{what}.parquet");
    let json = run(bench, &format!("corpus {what} c -o {output} --json")).ends_with(0).json();
    let table = bench.table(&output);
    let octets = bench.read(&output).len();
    let expected = serde_json::json!({ "table": what, "rows": table.num_rows(), "octets": octets });
    assert_eq!(json, expected);
    let said = run(bench, &format!("corpus {what} c -o {output}")).ends_with(0).stdout;
    let expected = format!("{} {what} written to {output} (", table.num_rows());
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(run(bench, &format!("corpus {what} c -o {output} -q")).ends_with(0).stdout, "");
    assert!(!bench.exists(&format!("{output}.partial")));
    table
}

/// A column of lists of strings, each joined with commas.
fn lists(table: &Table, name: &str) -> Vec<String> {
    let column = table.batch.column_by_name(name).unwrap().as_list::<i32>();
    let joined = |list: arrow::array::ArrayRef| {
        let texts = list.as_string::<i32>();
        texts.iter().map(|text| text.unwrap()).collect::<Vec<_>>().join(",")
    };
    (0..column.len()).map(|row| joined(column.value(row))).collect()
}

fn texts(table: &Table, name: &str) -> Vec<String> {
    table.texts(name).into_iter().map(Option::unwrap_or_default).collect()
}

#[test]
fn rules_hold_every_allow_and_disallow_line() {
    let bench = bench();
    let rules = table(&bench, "rules");
    let names =
        ["rule_id", "digest", "line", "kind", "pattern", "specificity", "tokens", "num_origins"];
    assert_eq!(rules.names(), names);
    let number = |name: &str| rules.ints(name).into_iter().map(Option::unwrap).collect::<Vec<_>>();
    let (ids, lines) = (number("rule_id"), number("line"));
    let apart: Vec<(i64, i64)> = ids.iter().map(|id| (id >> 32, id & 0xFFFF_FFFF)).collect();
    assert_eq!(apart, [(1, 3), (1, 4), (1, 7), (1, 8), (2, 2)]);
    assert_eq!(lines, [3, 4, 7, 8, 2]);
    let (shop, closed) = (digest(SHOP), digest(CLOSED));
    assert_eq!(texts(&rules, "digest"), [&*shop, &shop, &shop, &shop, &closed]);
    assert_eq!(texts(&rules, "kind"), ["disallow", "allow", "disallow", "disallow", "disallow"]);
    let patterns = ["/private/", "/private/*.html$", "/cart?*id=", "", "/"];
    assert_eq!(texts(&rules, "pattern"), patterns);
    assert_eq!(number("specificity"), [9, 16, 10, 0, 1]);
    assert_eq!(lists(&rules, "tokens"), ["GPTBot,AI2Bot", "GPTBot,AI2Bot", "*", "*", "*"]);
    // http://www.shop.example, which redirects to one of them, is not counted.
    assert_eq!(number("num_origins"), [2, 2, 2, 2, 2]);
}

#[test]
fn captures_hold_every_capture_in_the_order_of_origins_and_times() {
    let bench = bench();
    let captures = table(&bench, "captures");
    let names = [
        "url",
        "fetch_time",
        "status",
        "redirect",
        "content_type",
        "body_id",
        "digest",
        "length",
        "truncated",
        "revisit",
        "page_or_binary_type",
        "source",
        "offset",
    ];
    assert_eq!(captures.names(), names);
    assert_eq!(captures.num_rows() as u64, CAPTURES);
    let urls = [
        "https://down.example/robots.txt",
        "https://gone.example/robots.txt",
        "https://lost.example/robots.txt",
        "https://moved.example/robots.txt",
        "https://none.example/robots.txt",
        "https://odd.example/robots.txt",
        "https://odd.example/robots.txt",
        "https://old.example/robots.txt",
        "http://www.shop.example/robots.txt",
        "https://www.shop.example/robots.txt",
        "https://www.shop.example/robots.txt",
        "https://www.shop.example/robots.txt",
        "https://moved.example/rules.txt",
    ];
    assert_eq!(texts(&captures, "url"), urls);
    let statuses = captures.ints("status").into_iter().map(Option::unwrap_or_default);
    let statuses: Vec<i64> = statuses.collect();
    assert_eq!(statuses, [500, 302, 200, 302, 404, 200, 200, 0, 301, 200, 200, 503, 200]);
    let bodies: Vec<i64> = captures.ints("body_id").into_iter().map(|b| b.unwrap_or(-1)).collect();
    // Of the error page no body is kept.
    assert_eq!(bodies, [-1, -1, -1, -1, -1, 0, 1, 2, -1, 2, 1, -1, 0]);
    let by_number = [NOTHING, SHOP, CLOSED];
    let text = |body: &i64| usize::try_from(*body).ok().map(|body| by_number[body]);
    let digests: Vec<String> =
        bodies.iter().map(|b| text(b).map(digest).unwrap_or_default()).collect();
    assert_eq!(texts(&captures, "digest"), digests);
    let lens: Vec<Option<i64>> =
        bodies.iter().map(|body| text(body).map(|text| text.len().try_into().unwrap())).collect();
    assert_eq!(captures.ints("length"), lens);
    let redirects: Vec<String> =
        texts(&captures, "redirect").into_iter().filter(|text| !text.is_empty()).collect();
    let expected = [
        "https://gone.example/robots2.txt",
        "https://moved.example/rules.txt",
        "https://www.shop.example/robots.txt",
    ];
    assert_eq!(redirects, expected);
    let times = captures.ints("fetch_time");
    assert_eq!(times.iter().filter(|time| time.is_none()).count(), 1);
    assert_eq!(times[12], Some(1_714_608_001_000_000));
    assert!(times[9] < times[10] && times[10] < times[11]);
    let types = captures.bools("page_or_binary_type");
    assert_eq!(types.iter().position(|is_page| *is_page == Some(true)), Some(5));
    assert_eq!(texts(&captures, "source"), ["crawl.jsonl"; 13]);
    let none = captures.bools("revisit").into_iter().chain(captures.bools("truncated"));
    assert!(none.flatten().all(|flag| !flag));
}

#[test]
fn records_hold_what_is_no_rule() {
    let bench = bench();
    let records = table(&bench, "records");
    let names =
        ["body_id", "digest", "line", "key", "key_as_written", "value", "tokens", "num_origins"];
    assert_eq!(records.names(), names);
    assert_eq!(texts(&records, "key"), ["crawl-delay", "sitemap"]);
    assert_eq!(texts(&records, "key_as_written"), ["Crawl-delay", "Sitemap"]);
    assert_eq!(texts(&records, "value"), ["5", "https://www.shop.example/sitemap.xml"]);
    assert_eq!(records.ints("line"), [Some(9), Some(10)]);
    assert_eq!(records.ints("body_id"), [Some(1), Some(1)]);
    assert_eq!(texts(&records, "digest"), [digest(SHOP), digest(SHOP)]);
    assert_eq!(lists(&records, "tokens"), ["*", "*"]);
    assert_eq!(records.ints("num_origins"), [Some(2), Some(2)]);
    assert_eq!(BODIES, 3);
}

#[test]
fn tables_never_go_into_the_corpus_or_stay_half_written() {
    let bench = bench();
    let files = bench.listing("c");
    for what in ["rules", "captures", "records"] {
        let inside = run(&bench, &format!("corpus {what} c -o c/{what}2.parquet")).ends_with(2);
        inside.says(&["lies in the corpus"]);
        let nowhere = run(&bench, &format!("corpus {what} c -o absent/x.parquet")).ends_with(4);
        nowhere.says(&["absent/x.parquet", "No such file"]);
        // A folder that has the name keeps it.
        bench.write("taken/inside", "");
        run(&bench, &format!("corpus {what} c -o taken")).ends_with(4).says(&["taken"]);
        assert!(bench.exists("taken/inside") && !bench.exists("taken.partial"), "{what}");
    }
    assert_eq!(bench.listing("c"), files);
    run(&bench, "corpus rules c").ends_with(2).says(&["--output"]);
}
