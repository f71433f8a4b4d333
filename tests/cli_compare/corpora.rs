//! Two corpora: rules are the same where body and line are, whatever their numbers.

use crate::cli::{Bench, robots};
use crate::{adds_up, compare, differences};

const KEPT: &str = "User-agent: *\nDisallow: /x\n";

fn two_corpora() -> Bench {
    let bench = Bench::new();
    bench.robots(
        "old.parquet",
        &[robots("https://b.example", KEPT), robots("https://c.example", KEPT)],
    );
    let changed = "User-agent: *\nDisallow: /y\n";
    let more = robots("https://a.example", "User-agent: *\nDisallow: /\n");
    bench.robots(
        "new.parquet",
        &[more, robots("https://b.example", KEPT), robots("https://c.example", changed)],
    );
    let urls = [
        "https://a.example/x",
        "https://b.example/x",
        "https://c.example/x",
        "https://c.example/y",
    ];
    bench.urls("rows.parquet", &urls);
    bench
}

#[test]
fn rules_of_two_corpora_are_compared_by_digest_and_line() {
    let bench = two_corpora();
    let both = "--as-of latest --agent GPTBot rows.parquet --json";
    let run =
        compare(&bench, &format!("{both} --left corpus=old.parquet --right corpus=new.parquet"));
    adds_up(&run.ends_with(0).json(), 3);
    let row = |row, allowed| (row, "verdict".to_owned(), Some("corpus".to_owned()), allowed);
    let expected = [
        row(0, [None, Some(false)]),
        row(2, [Some(false), Some(true)]),
        row(3, [Some(true), Some(false)]),
    ];
    assert_eq!(differences(&bench), expected);
    let table = bench.table("out.parquet");
    let digests = ["robots_digest_left", "robots_digest_right"].map(|name| table.texts(name));
    assert_eq!(digests[0].iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(digests[1].iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn a_corpus_and_a_dialect_at_once_are_told_apart() {
    let bench = Bench::new();
    let tilde = "User-agent: *\nDisallow: /~a\n";
    bench.robots(
        "old.parquet",
        &[robots("https://a.example", tilde), robots("https://b.example", KEPT)],
    );
    bench.robots(
        "new.parquet",
        &[robots("https://a.example", tilde), robots("https://b.example", "")],
    );
    bench.urls("rows.parquet", &["https://a.example/%7Ea", "https://b.example/x"]);
    let sides = "--left corpus=old.parquet --right corpus=new.parquet,google";
    compare(&bench, &format!("{sides} --as-of latest --agent GPTBot rows.parquet")).ends_with(0);
    let row = |row, clause: &str| {
        (row, "verdict".to_owned(), Some(clause.to_owned()), [Some(false), Some(true)])
    };
    assert_eq!(differences(&bench), [row(0, "normalisation"), row(1, "corpus")]);
}

#[test]
fn built_corpora_answer_alike_and_without_texts_tell_the_dialect() {
    let bench = Bench::new();
    bench
        .robots("robots.parquet", &[robots("https://a.example", "User-agent: *\nDisallow: /~a\n")]);
    bench.urls("rows.parquet", &["https://a.example/%7Ea", "https://a.example/robots.txt"]);
    for (flag, clauses) in
        [("", ["normalisation", "robots_txt_allowed"]), (" --no-bodies", ["dialect"; 2])]
    {
        let build = format!("corpus build robots.parquet -o c{} -q{flag}", flag.len());
        bench.run(&build.split(' ').collect::<Vec<_>>()).ends_with(0);
        let corpus = format!("--corpus c{}", flag.len());
        compare(
            &bench,
            &format!(
                "{corpus} --as-of latest --left rfc9309 --right google --agent GPTBot rows.parquet"
            ),
        )
        .ends_with(0);
        let found = differences(&bench).into_iter().map(|row| row.2.unwrap());
        assert_eq!(found.collect::<Vec<_>>(), clauses);
    }
}
