//! What is said of sources, however much there is to say: the first sentences, cut to a length, and the exact count.

use crate::cli::{Bench, Run};
use robosift::corpus::Sentences;

const GOOD: &str =
    "{\"origin\":\"https://a.example\",\"body\":\"User-agent: *\\nDisallow: /x\",\"status\":200}\n";

/// Lines that begin with `skipped: `, and what follows.
fn skipped(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter_map(|line| line.strip_prefix("skipped: ")).collect()
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("bad.jsonl", format!("{}{GOOD}", "nonsense\n".repeat(2_500)));
    bench.urls("rows.parquet", &["https://a.example/x"]);
    bench
}

#[test]
fn a_file_of_many_bad_lines_is_counted_exactly_and_told_in_brief() {
    let bench = bench();
    let eval = "--corpus bad.jsonl --on-error skip --agent X rows.parquet -o out.parquet";
    let build = ["corpus", "build", "bad.jsonl", "--on-error", "skip", "-o"];
    let builds = |output: &str, more: &str| {
        let words: Vec<&str> = build.iter().copied().chain([output, more]).collect();
        bench.run(&words).ends_with(3)
    };
    for brief in [bench.eval(eval).ends_with(3), builds("a", "--threads=2")] {
        let lines = skipped(&brief);
        assert_eq!(lines.len(), 11, "{}", brief.stderr);
        assert!(lines[9].starts_with("bad.jsonl, line 10: "), "{lines:?}");
        assert_eq!(lines[10], "and 2,490 more; --verbose names them");
    }
    let verbose = bench.eval(&format!("{eval} --verbose")).ends_with(3);
    for verbose in [verbose, builds("b", "--verbose")] {
        let lines = skipped(&verbose);
        assert_eq!(lines.len(), Sentences::MOST + 1);
        assert!(lines[999].starts_with("bad.jsonl, line 1000: "), "{}", lines[999]);
        assert_eq!(lines[1_000], "and 1,500 more");
    }
    let json = bench.eval(&format!("{eval} --json")).ends_with(3).json();
    for json in [&json["corpus"], &builds("c", "--json").json()] {
        assert_eq!(json["num_skipped"], 2_500);
        assert_eq!(json["skipped"].as_array().unwrap().len(), Sentences::MOST);
    }
}

#[test]
fn what_a_sentence_quotes_is_cut() {
    let bench = Bench::new();
    let long = "é".repeat(1_000_000);
    let line =
        format!("{{\"origin\":\"https://a.example\",\"body\":\"\",\"status\":\"{long}\"}}\n");
    bench.write("bad.jsonl", format!("{line}{GOOD}"));
    let words = "corpus build bad.jsonl --on-error skip -o c --json";
    let json = bench.run(&words.split(' ').collect::<Vec<_>>()).ends_with(3).json();
    let sentence = json["skipped"][0].as_str().unwrap();
    assert!(sentence.starts_with("bad.jsonl, line 1: `status`"), "{sentence}");
    assert!(sentence.ends_with("éé…") && (990..=1_003).contains(&sentence.len()), "{sentence}");
}

/// An archive of a response whose body is not whole.
fn truncated(host: usize) -> String {
    let http = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Truncated: length\r\n\
         WARC-Target-URI: https://h{host}.example/robots.txt\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn notes_on_many_files_are_counted_and_told_in_brief() {
    let bench = Bench::new();
    (0..25).for_each(|file| bench.write(&format!("f{file:02}.warc"), truncated(file)));
    bench.urls("rows.parquet", &["https://h1.example/x"]);
    let build = bench.run(&["corpus", "build", "f*.warc", "-o", "c"]).ends_with(0);
    let eval = "--corpus f*.warc --agent X rows.parquet -o out.parquet";
    for run in [build, bench.eval(eval).ends_with(0)] {
        let notes = run.stderr.lines().filter_map(|line| line.strip_prefix("note: "));
        let notes: Vec<&str> = notes.collect();
        assert_eq!(notes.len(), 11, "{notes:?}");
        assert!(notes[..10].iter().all(|note| note.ends_with("truncated in the archive")));
        assert_eq!(notes[10], "and 15 more");
    }
}

#[test]
fn sentences_added_up_are_counted_beyond_those_that_are_kept() {
    let mut all = Sentences::default();
    for part in 0..3 {
        let mut some = Sentences::default();
        (0..700).for_each(|number| some.push(format_args!("{part}.{number}")));
        assert_eq!((some.kept().len(), some.count()), (700, 700));
        all.add(some);
    }
    assert_eq!((all.kept().len(), all.count()), (Sentences::MOST, 2_100));
    assert_eq!((&*all.kept()[699], &*all.kept()[999]), ("0.699", "1.299"));
    assert!(Sentences::default().is_empty() && !all.is_empty());
}
