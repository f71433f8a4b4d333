//! Commands that ask a corpus, asked of one of shards and of one build of the same captures.

use crate::cli::Bench;
use crate::crawl;
use crate::cut::{How, build, build_shards};
use crate::same_verdicts::write_rows;

fn built() -> Bench {
    let (bench, captures) = (Bench::new(), crawl::captures(41, 80));
    build(&bench.path("whole"), &captures, How::default());
    build_shards(&bench.path("root"), &captures, 5, How::default());
    write_rows(&bench);
    bench
}

#[test]
fn compare_finds_no_difference() {
    let bench = built();
    let sides = ["--left", "corpus=whole", "--right", "corpus=root"];
    let rest = ["--agent", "GPTBot,CCBot", "--as-of", "latest", "--json", "-o", "d.parquet"];
    let words = [&["compare"], &sides[..], &rest[..], &["mixed.parquet"]].concat();
    let told = bench.run(&words).ends_with(0).json();
    assert_eq!(bench.table("d.parquet").num_rows(), 0, "{told}");
    assert!(told["rows"].as_u64().unwrap() > 100, "{told}");
}

#[test]
fn diff_finds_nothing_opened_and_nothing_closed() {
    let bench = built();
    for (old, new) in [("whole", "root"), ("root", "whole"), ("root", "root")] {
        bench.run(&["diff", old, new, "--json"]).ends_with(0);
    }
}

#[test]
fn a_run_is_taken_up_again_for_the_same_root_alone() {
    let bench = built();
    bench.eval("--corpus root --agent GPTBot mixed.parquet -o v.parquet").ends_with(0);
    let first = bench.read("v.parquet");
    bench.eval("--corpus root --agent GPTBot mixed.parquet -o v.parquet --resume").ends_with(0);
    assert!(bench.read("v.parquet") == first);
    // Settled of other shards: another corpus.
    std::fs::remove_dir_all(bench.path("root")).unwrap();
    build_shards(&bench.path("root"), &crawl::captures(42, 80), 5, How::default());
    let again = bench.eval("--corpus root --agent GPTBot mixed.parquet -o v.parquet --resume");
    again.ends_with(2);
    assert!(bench.read("v.parquet") == first);
}
