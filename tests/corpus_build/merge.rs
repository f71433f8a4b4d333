//! A corpus made of corpora is the one built of all their sources.

use std::path::PathBuf;

use crate::cli::{Bench, Table, capture, robots};
use crate::made::{self, How, assert_same, octets};

/// Corpora `a`, `b` and `all` of two halves of made-up sources.
fn build_halves(bench: &Bench) -> Vec<PathBuf> {
    let sources = made::write_sources(bench, "s", 6, 500);
    made::write_rows(bench, "rows.parquet", 500);
    made::build(&bench.path("a"), &sources[..3], How::default());
    made::build(&bench.path("b"), &sources[3..], How::default());
    made::build(&bench.path("all"), &sources, How::default());
    sources
}

#[test]
fn merged_in_the_order_of_the_sources_is_octet_for_octet_the_one_of_all_sources() {
    let bench = Bench::new();
    build_halves(&bench);
    bench.run(&["corpus", "merge", "a", "b", "-o", "merged", "-q"]).ends_with(0);
    let (mut merged, all) = (octets(&bench.path("merged")), octets(&bench.path("all")));
    // Captures that were left out are not known any more.
    let manifest = String::from_utf8(merged.remove("manifest.json").unwrap()).unwrap();
    assert!(manifest.contains("\"captures_without_place\":0"), "{manifest}");
    let mut expected = all.clone();
    expected.remove("manifest.json");
    let differ: Vec<_> = expected.iter().filter(|(name, file)| merged[*name] != **file).collect();
    assert!(differ.is_empty() && merged.len() == expected.len());
    let info = |name: &str| bench.run(&["corpus", "info", name, "--json"]).ends_with(0).json();
    let (merged, all) = (info("merged"), info("all"));
    for key in ["fingerprint", "origins", "captures", "bodies", "sources", "files", "revisits"] {
        assert_eq!(merged[key], all[key], "{key}");
    }
    // Merged again, alone, it stays as it is.
    bench.run(&["corpus", "merge", "merged", "-o", "again", "-q"]).ends_with(0);
    assert_same(&bench.path("again"), &octets(&bench.path("merged")), "merged alone");
}

#[test]
fn several_corpora_are_asked_as_merged_and_as_built_of_all() {
    let bench = Bench::new();
    build_halves(&bench);
    bench.run(&["corpus", "merge", "b", "a", "-o", "turned", "-q"]).ends_with(0);
    let judge = |corpora: &str| {
        let more = "--agent GPTBot,CCBot --columns full rows.parquet";
        bench.verdicts(&format!("{corpora} {more}")).batch.columns().to_vec()
    };
    let all = judge("--corpus all");
    assert_eq!(judge("--corpus a --corpus b"), all);
    let raw: Vec<String> = (0..6).map(|file| format!("--corpus s{file}.jsonl")).collect();
    assert_eq!(judge(&raw.join(" ")), all);
    let mixed = "--corpus a --corpus s3.jsonl --corpus s4.jsonl --corpus s5.jsonl";
    assert_eq!(judge(mixed), all);
    assert_eq!(judge("--corpus b --corpus a"), judge("--corpus turned"));
}

#[test]
fn rules_and_captures_of_the_merged_are_those_of_all() {
    let bench = Bench::new();
    build_halves(&bench);
    bench.run(&["corpus", "merge", "a", "b", "-o", "merged", "-q"]).ends_with(0);
    for what in ["rules", "captures", "records"] {
        let tables = ["merged", "all"].map(|corpus| {
            let output = format!("{corpus}-{what}.parquet");
            bench.run(&["corpus", what, corpus, "-o", &output, "-q"]).ends_with(0);
            bench.table(&output)
        });
        assert_eq!(tables[0].batch, tables[1].batch, "{what}");
        assert!(tables[0].num_rows() > 100, "{what}");
    }
}

/// Spellings of `/robots.txt` stay what they were when a corpus is read again.
#[test]
fn odd_places_survive_merging() {
    let bench = Bench::new();
    let urls = [
        "https://a.example/robots.txt#top",
        "https://b.example/./robots.txt",
        "https://c.example/robots.txt?x",
        "https://d.example/robots.TXT",
        "HTTPS://user@E.example:443/robots.txt",
        "https://f.example/../x/%72obots.txt",
        "https://h\0.example/robots.txt",
        "https://h%00.example/robots.txt",
    ];
    let captures = urls.map(|url| robots(url, "User-agent: *\nDisallow: /\n").hour(5));
    let moved = capture("https://g.example/robots.txt").status(302).hour(5);
    let moved = moved.redirect("//b.example/robots.txt");
    let columns = [captures.as_slice(), &[moved]].concat();
    bench.parquet("robots.parquet", crate::cli::robots_columns("url", &columns));
    let rows =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|host| format!("https://{host}.example/y"));
    bench.urls("rows.parquet", &rows.each_ref().map(String::as_str));
    bench.run(&["corpus", "build", "robots.parquet", "-o", "built", "-q"]).ends_with(0);
    bench.run(&["corpus", "merge", "built", "-o", "merged", "-q"]).ends_with(0);
    let judge = |corpus: &str| {
        let table: Table = bench.verdicts(&format!("--corpus {corpus} --agent X rows.parquet"));
        table.bases()
    };
    let [rule, unknown] = ["rule", "no_capture"];
    let expected = [rule, rule, unknown, unknown, rule, unknown, rule, unknown];
    for corpus in ["robots.parquet", "built", "merged"] {
        assert_eq!(judge(corpus), expected, "{corpus}");
    }
    let (mut merged, mut built) = (octets(&bench.path("merged")), octets(&bench.path("built")));
    // What was left out is not known any more.
    let manifests = [merged.remove("manifest.json"), built.remove("manifest.json")];
    assert!(merged == built && manifests[0] != manifests[1]);
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let bench = Bench::new();
    made::write_sources(&bench, "s", 1, 30);
    for (name, limit) in [("long", "1000"), ("short", "100")] {
        let words = ["corpus", "build", "s0.jsonl", "-q", "--body-limit", limit, "-o", name];
        bench.run(&words).ends_with(0);
    }
    let merge = |words: &str| {
        let words = format!("corpus merge {words}");
        bench.run(&words.split(' ').collect::<Vec<_>>())
    };
    merge("s0.jsonl -o out").ends_with(2).says(&["s0.jsonl is no built corpus"]);
    merge("long short -o out").ends_with(2).says(&["different --body-limit"]);
    merge("long -o short").ends_with(4).says(&["short", "is there already"]);
    merge("long -o out --memory 1MiB").ends_with(2).says(&["64MiB"]);
    assert!(!bench.exists("out") && !bench.exists("out.partial"));
    // What `merge` refuses, `build` makes at the limit it is given.
    let build = "corpus build long short -o out -q --body-limit 100";
    bench.run(&build.split(' ').collect::<Vec<_>>()).ends_with(0);
    let info = bench.run(&["corpus", "info", "out", "--json"]).ends_with(0).json();
    assert_eq!(info["body_limit"], 100);
}

/// More octets of texts than are kept at hand, each served by several origins far apart and near together.
#[test]
fn many_large_texts_stay_what_they_are() {
    let bench = Bench::new();
    let body = |number: usize| {
        let rules = (0..60_000).map(|rule| format!("Disallow: /{number}/{rule}\n"));
        format!("User-agent: *\n{}", rules.collect::<String>())
    };
    let bodies: Vec<String> = (0..40).map(body).collect();
    assert!(bodies.iter().map(String::len).sum::<usize>() > 40 << 20);
    let captures = (0..120).map(|at| {
        let number = if at % 3 == 2 { at / 12 } else { at * 7 % 40 };
        robots(&format!("https://h{at:03}.example"), &bodies[number]).hour(1)
    });
    bench.parquet("t.parquet", crate::cli::robots_columns("origin", &captures.collect::<Vec<_>>()));
    bench.run(&["corpus", "build", "t.parquet", "-o", "built", "-q"]).ends_with(0);
    bench.run(&["corpus", "merge", "built", "-o", "merged", "-q"]).ends_with(0);
    assert_same(&bench.path("merged"), &octets(&bench.path("built")), "merged");
    bench.run(&["corpus", "info", "merged", "--verify"]).ends_with(0);
}
