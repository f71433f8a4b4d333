//! Nothing but the sources decides the octets of a corpus: not threads, not memory, not how sources are cut into files.

use std::path::PathBuf;
use std::process::Command;

use crate::cli::{Bench, Table};
use crate::made::{self, How, assert_same, octets};
use crate::shared_data::shared;

#[test]
fn threads_and_memory_change_no_octet() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 9, 400);
    let first = bench.path("first");
    let (report, runs) = made::build(&first, &sources, How::default());
    // All in memory: a run for each thread at most.
    assert!(runs <= 2, "{runs} runs");
    assert_eq!(report.counts.captures + report.counts.without_place, 9 * 400);
    let expected = octets(&first);
    for (threads, memory) in [(1, 64 << 10), (2, 64 << 10), (7, 64 << 10), (7, 1 << 20)] {
        let how = How { threads, memory, ..How::default() };
        let again = bench.path(&format!("again-{threads}-{memory}"));
        let (other, runs) = made::build(&again, &sources, how);
        assert!(memory > 64 << 10 || runs >= 9, "{threads} threads: {runs} runs only");
        assert_eq!(other, report);
        assert_same(&again, &expected, &format!("{threads} threads, {memory} octets of memory"));
        assert!(!bench.exists(&format!("again-{threads}-{memory}.partial")));
    }
    // The binary builds what the library does.
    let paths: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
    for threads in ["1", "2", "7"] {
        let name = format!("binary-{threads}");
        let fixed = ["corpus", "build", "-q", "--threads", threads, "--memory", "64MiB", "-o"];
        let words = fixed.into_iter().chain([name.as_str()]);
        let words: Vec<&str> = words.chain(paths.iter().map(String::as_str)).collect();
        bench.run(&words).ends_with(0);
        assert_same(&bench.path(&name), &expected, &name);
    }
}

/// Runs are files, of which a process may have only some open at a time.
#[test]
fn more_runs_than_files_may_be_open_are_merged_all_the_same() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 2, 600);
    made::build(&bench.path("first"), &sources, How::default());
    let how = How { threads: 1, memory: 512, ..How::default() };
    let (_, runs) = made::build(&bench.path("again"), &sources, how);
    assert!(runs > 300, "{runs} runs only");
    let expected = octets(&bench.path("first"));
    assert_same(&bench.path("again"), &expected, "many runs");
    let child = made::build_in_child(&bench.path("limited"), &sources, how);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 150 && exec \"$0\" \"$@\""]).arg(child.get_program());
    limited.args(child.get_args()).envs(child.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let done = limited.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_same(&bench.path("limited"), &expected, "with 150 open files");
}

#[test]
fn real_captures_come_out_the_same_whatever_the_threads_and_memory() {
    let names = ["data/real_robots.parquet", "data/extra_gov_robots.parquet"];
    let [Some(real), Some(extra)] = names.map(shared) else { return };
    let bench = Bench::new();
    let sources = [real, extra];
    let first = bench.path("first");
    made::build(&first, &sources, How { threads: 1, ..How::default() });
    let again = bench.path("again");
    let (_, runs) =
        made::build(&again, &sources, How { threads: 7, memory: 512 << 10, ..How::default() });
    assert!(runs > 2, "{runs} runs only");
    assert_same(&again, &octets(&first), "7 threads, 512 KiB");
}

/// Records are held in blocks while they are sorted; some are longer than one.
#[test]
fn long_names_that_begin_alike_sort_like_all_others() {
    let bench = Bench::new();
    let lines = (0..40_usize).map(|number| {
        let path = "x".repeat(number * 7_919 % 300_000);
        format!(
            r#"{{"url": "https://a.example/{path}{number}", "status": 200, "body": "{number}"}}"#
        )
    });
    bench.write("urls.jsonl", lines.collect::<Vec<_>>().join("\n"));
    let sources = [bench.path("urls.jsonl")];
    let (report, runs) = made::build(&bench.path("first"), &sources, How::default());
    assert_eq!((report.counts.captures, report.bodies, runs), (40, 40, 1));
    let how = How { threads: 1, memory: 64 << 10, ..How::default() };
    let (_, runs) = made::build(&bench.path("again"), &sources, how);
    assert!(runs > 20, "{runs} runs only");
    assert_same(&bench.path("again"), &octets(&bench.path("first")), "sorted by runs");
}

/// The same captures in one file and cut into many, in the same order.
#[test]
fn cutting_sources_into_files_changes_only_what_names_the_sources() {
    let bench = Bench::new();
    let whole = made::write_sources(&bench, "whole", 1, 2_000);
    let text = String::from_utf8(bench.read("whole0.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let cut: Vec<PathBuf> = lines
        .chunks(150)
        .enumerate()
        .map(|(number, lines)| {
            let name = format!("part{number:03}.jsonl");
            bench.write(&name, lines.join("\n"));
            bench.path(&name)
        })
        .collect();
    made::build(&bench.path("one"), &whole, How::default());
    let how = How { threads: 7, memory: 64 << 10, ..How::default() };
    made::build(&bench.path("many"), &cut, how);
    let (one, many) = (octets(&bench.path("one")), octets(&bench.path("many")));
    // Captures and manifest tell the source; nothing else may.
    let telling = ["captures.arrow", "target_captures.arrow", "sources.arrow", "manifest.json"];
    for (name, file) in &one {
        let may_differ = telling.contains(&name.trim_end_matches(".sums"));
        assert!(may_differ || many[name] == *file, "{name} differs");
    }
    let exported = ["one", "many"].map(|corpus| {
        let output = format!("{corpus}.parquet");
        bench.run(&["corpus", "captures", corpus, "-o", &output, "-q"]).ends_with(0);
        let Table { mut batch, .. } = bench.table(&output);
        batch.remove_column(batch.schema().index_of("source").unwrap());
        batch
    });
    assert_eq!(exported[0], exported[1]);
    let fingerprints = ["one", "many"].map(|corpus| {
        let info = bench.run(&["corpus", "info", corpus, "--json"]).ends_with(0).json();
        (info["fingerprint"].clone(), info["captures_without_place"].clone())
    });
    assert_eq!(fingerprints[0], fingerprints[1]);
}

#[test]
fn the_order_of_sources_decides_among_captures_of_one_time() {
    let bench = Bench::new();
    let source = |name: &str, path: &str| {
        let body = format!("User-agent: *\\nDisallow: /{path}\\n");
        let line = format!(
            r#"{{"origin": "https://a.example", "fetch_time": "2026-03-01", "body": "{body}"}}"#
        );
        bench.write(name, line);
        bench.path(name)
    };
    let (x, y) = (source("x.jsonl", "x"), source("y.jsonl", "y"));
    bench.urls("rows.parquet", &["https://a.example/x", "https://a.example/y"]);
    for (name, sources, expected) in
        [("xy", [&x, &y], [Some(true), Some(false)]), ("yx", [&y, &x], [Some(false), Some(true)])]
    {
        let sources = sources.map(PathBuf::clone);
        made::build(&bench.path(name), &sources, How { threads: 7, ..How::default() });
        let table = bench.verdicts(&format!("--corpus {name} --agent CCBot rows.parquet"));
        assert_eq!(table.allowed(), expected, "{name}");
    }
}
