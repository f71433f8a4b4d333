//! What a corpus of shards is written as, merged into and told of is what one build of all captures is.

use std::collections::BTreeMap;
use std::fs;

use crate::cli::Bench;
use crate::crawl;
use crate::cut::{How, build, build_shards};
use crate::same_verdicts::write_rows;

fn built(seed: u64) -> Bench {
    let (bench, captures) = (Bench::new(), crawl::captures(seed, 120));
    build(&bench.path("whole"), &captures, How::default());
    for shards in [1, 5] {
        build_shards(&bench.path(&format!("root{shards}")), &captures, shards, How::default());
    }
    bench
}

#[test]
fn tables_are_the_same() {
    let bench = built(21);
    for table in ["rules", "captures", "records"] {
        let write = |corpus: &str| {
            let output = format!("{corpus}-{table}.parquet");
            bench.run(&["corpus", table, corpus, "-o", &output, "-q"]).ends_with(0);
            bench.table(&output).batch
        };
        let whole = write("whole");
        assert!(whole.num_rows() > 100, "{table}");
        for root in ["root1", "root5"] {
            assert!(write(root) == whole, "{table} of {root}");
        }
    }
}

#[test]
fn rules_are_the_same_without_texts() {
    let (bench, captures) = (Bench::new(), crawl::captures(22, 60));
    let how = How { texts: false, ..How::default() };
    build(&bench.path("whole"), &captures, how);
    build_shards(&bench.path("root"), &captures, 5, how);
    let [whole, root] = ["whole", "root"].map(|corpus| {
        let output = format!("{corpus}.parquet");
        bench.run(&["corpus", "rules", corpus, "-o", &output, "-q"]).ends_with(0);
        bench.table(&output).batch
    });
    assert!(whole == root && whole.num_rows() > 100);
}

/// All files of a corpus but its manifest.
fn tables(bench: &Bench, corpus: &str) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(bench.path(corpus)).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_name() != "manifest.json");
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    files.map(|entry| (name(&entry), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn merged_it_makes_the_same_octets() {
    let bench = built(23);
    let captures = crawl::captures(24, 50);
    build(&bench.path("other"), &captures, How::default());
    let mut merged = Vec::new();
    for corpus in ["whole", "root1", "root5"] {
        let output = format!("{corpus}-merged");
        bench.run(&["corpus", "merge", corpus, "other", "-o", &output, "-q"]).ends_with(0);
        merged.push(tables(&bench, &output));
    }
    assert!(merged[0] == merged[1] && merged[0] == merged[2]);
    // The shards one by one, each left without what it holds of others, make the whole too.
    let shards: Vec<String> = (0..5).map(|shard| format!("root5/shard-{shard:05}")).collect();
    let mut command = vec!["corpus", "merge", "-o", "rejoined", "-q"];
    command.extend(shards.iter().map(String::as_str));
    bench.run(&command).ends_with(0);
    let said = |corpus: &str| {
        let info = bench.run(&["corpus", "info", corpus, "--json"]).ends_with(0).json();
        (info["origins"].clone(), info["captures"].clone(), info["bodies"].clone())
    };
    assert_eq!(said("rejoined"), said("whole"));
}

#[test]
fn info_tells_of_the_whole() {
    let bench = built(25);
    let info = |corpus: &str| {
        bench.run(&["corpus", "info", corpus, "--json", "--verify"]).ends_with(0).json()
    };
    let (whole, root) = (info("whole"), info("root5"));
    for key in ["origins", "captures", "revisits", "revisits_unresolved", "bodies", "sources"] {
        assert_eq!(whole[key], root[key], "{key}");
    }
    assert!(whole["shards"].is_null() && whole["fingerprint"] != root["fingerprint"]);
    assert_eq!(root["shards"], 5);
    let text = bench.run(&["corpus", "info", "root5"]).ends_with(0).stdout;
    assert!(text.contains("shards       5\n"), "{text}");
}

#[test]
fn other_commands_say_the_same() {
    let bench = built(26);
    write_rows(&bench);
    let mut served = 0;
    for number in (0..120).step_by(3) {
        let origin = crawl::origin(number);
        let show = |corpus: &str| bench.run(&["corpus", "show", corpus, &origin]).stdout;
        let (whole, root) = (show("whole"), show("root5"));
        assert_eq!(whole, root, "{origin}");
        served += usize::from(whole.contains("body "));
        let url = format!("{origin}/p1/x");
        let explain = |corpus: &str| {
            let words = ["explain", "--corpus", corpus, &url, "--agent", "GPTBot", "--json"];
            let run = bench.run(&words);
            run.stdout.replace(corpus, "")
        };
        assert_eq!(explain("whole"), explain("root5"), "{origin}");
    }
    assert!(served > 10, "{served}");
    let lint = |corpus: &str| {
        let output = format!("{corpus}-lint.parquet");
        bench.run(&["lint", "--corpus", corpus, "-o", &output, "-q"]).ends_with(0);
        bench.table(&output).batch
    };
    assert!(lint("whole") == lint("root5"));
}
