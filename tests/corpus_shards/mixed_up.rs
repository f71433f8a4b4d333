//! Shards that are damaged, missing, of another order or another build: an error that names the place, never another verdict.

use std::fs;
use std::path::Path;

use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusFiles, settle_shards};

use crate::cli::Bench;
use crate::crawl;
use crate::cut::{How, build, build_shards, cut};

const SHARDS: usize = 4;

fn built() -> Bench {
    let (bench, captures) = (Bench::new(), crawl::captures(31, 60));
    build_shards(&bench.path("root"), &captures, SHARDS, How::default());
    bench
}

fn shard(bench: &Bench, number: usize) -> std::path::PathBuf {
    bench.path(&format!("root/shard-{number:05}"))
}

#[track_caller]
fn says(error: &dyn std::fmt::Display, words: &[&str]) {
    let text = error.to_string();
    words.iter().for_each(|word| assert!(text.contains(word), "`{word}` is not in: {text}"));
}

#[track_caller]
fn refused(root: &Path, words: &[&str]) {
    says(&Corpus::open_any(root).unwrap_err(), words);
    says(&CorpusFiles::open(root).unwrap_err(), words);
}

#[track_caller]
fn unsettled(root: &Path, words: &[&str]) {
    says(&settle_shards(root).unwrap_err(), words);
}

#[test]
fn a_shard_that_is_missing_or_another_is_named() {
    let bench = built();
    let (root, third) = (bench.path("root"), shard(&bench, 3));
    fs::rename(&third, bench.path("away")).unwrap();
    refused(&root, &["root", "shard-00003", "lacks"]);
    build(&third, &crawl::captures(32, 10), How::default());
    refused(&root, &["root", "shard-00003", "another"]);
    fs::remove_dir_all(&third).unwrap();
    // Of the same captures, but with less of each body read.
    let captures = cut(&crawl::captures(31, 60), SHARDS, true).swap_remove(3);
    build(&third, &captures, How { limit: BodyLimit::new(60), ..How::default() });
    refused(&root, &["root", "shard-00003", "another"]);
    unsettled(&root, &["shard-00003", "shard-00000", "body limit"]);
    fs::remove_dir_all(&third).unwrap();
    fs::rename(bench.path("away"), &third).unwrap();
    Corpus::open_any(&root).unwrap();
}

#[test]
fn another_order_is_refused_and_settles_to_no_corpus() {
    let bench = built();
    let root = bench.path("root");
    let [zero, one, aside] = [shard(&bench, 0), shard(&bench, 1), bench.path("aside")];
    fs::rename(&zero, &aside).unwrap();
    fs::rename(&one, &zero).unwrap();
    fs::rename(&aside, &one).unwrap();
    refused(&root, &["root", "shard-00000", "another"]);
    unsettled(&root, &["root", "range", "shard-00001", "shard-00000"]);
    bench.run(&["corpus", "info", "root"]).ends_with(4).says(&["shard-00000", "another"]);
}

#[test]
fn what_cannot_be_settled_says_why() {
    let bench = built();
    let root = bench.path("root");
    unsettled(&bench.path("nowhere"), &["nowhere"]);
    fs::create_dir(bench.path("empty")).unwrap();
    unsettled(&bench.path("empty"), &["empty", "no shard", "shard-00000"]);
    fs::create_dir(bench.path("root/shard-00006")).unwrap();
    unsettled(&root, &["root", "shard-00004", "missing"]);
    fs::rename(bench.path("root/shard-00006"), bench.path("root/shard-00004.partial")).unwrap();
    unsettled(&root, &["root", "shard-00004", "not whole"]);
    fs::remove_dir(bench.path("root/shard-00004.partial")).unwrap();
    // The same shard twice overlaps itself, and a root is no shard.
    build(&shard(&bench, 4), &cut(&crawl::captures(31, 60), SHARDS, true)[3], How::default());
    unsettled(&root, &["range", "shard-00004", "shard-00003"]);
    fs::remove_dir_all(shard(&bench, 4)).unwrap();
    fs::create_dir(bench.path("outer")).unwrap();
    fs::rename(&root, bench.path("outer/shard-00000")).unwrap();
    unsettled(&bench.path("outer"), &["shard-00000", "shards itself"]);
}

#[test]
fn settled_anew_it_is_the_same_and_unsettled_it_is_no_corpus() {
    let bench = built();
    let root = bench.path("root");
    let files = ["manifest.json", "numbers.arrow", "bodies.arrow", "bodies.arrow.sums"];
    let read = || files.map(|file| bench.read(&format!("root/{file}")));
    let before = read();
    // What a run that was cut off leaves.
    fs::remove_file(root.join("manifest.json")).unwrap();
    says(&Corpus::open_any(&root).unwrap_err(), &["root", "not settled"]);
    bench.write("rows.csv", "url\nhttps://h1.com/\n");
    let run = bench.eval("--corpus root --agent GPTBot rows.csv -o out.csv").ends_with(4);
    run.says(&["root", "not settled"]);
    let settled = settle_shards(&root).unwrap();
    assert_eq!((settled.shards, before == read()), (SHARDS as u64, true));
    assert_eq!(settle_shards(&root).unwrap(), settled);
}

/// What the whole says of its bodies, or that it is damaged.
fn asked(root: &Path) -> Result<Vec<String>, String> {
    let corpus = Corpus::open_any(root).map_err(|error| error.to_string())?;
    let mut said = Vec::new();
    for origin in corpus.origins() {
        said.extend(corpus.captures(origin).map(|c| format!("{:?} {:?}", c.body, c.time)));
    }
    for body in corpus.body_ids() {
        let rules = corpus.program(body).map(|program| program.num_rules());
        said.push(format!("{rules:?} {:?} {:?}", corpus.digest(body), corpus.body_facts(body)));
    }
    corpus.check().map_err(|error| error.to_string()).map(|()| said)
}

#[test]
fn damage_in_any_file_is_an_error_or_changes_nothing() {
    let bench = built();
    let root = bench.path("root");
    let expected = asked(&root).unwrap();
    let mut found = 0;
    for name in bench.listing("root") {
        let path = format!("root/{name}");
        let whole = bench.read(&path);
        if whole.is_empty() {
            continue;
        }
        for at in [whole.len() / 3, whole.len() / 2, whole.len().saturating_sub(9)] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            bench.write(&path, damaged);
            match asked(&root) {
                Ok(said) => assert!(said == expected, "{name} at {at}"),
                Err(_) => found += 1,
            }
            let verified = CorpusFiles::open(&root).and_then(|files| files.verify());
            assert!(verified.is_err(), "{name} at {at}");
        }
        bench.write(&path, &whole[..whole.len() / 2]);
        assert!(CorpusFiles::open(&root).is_err(), "{name} cut");
        bench.write(&path, whole);
    }
    assert!(found > 50, "{found}");
    assert_eq!(asked(&root), Ok(expected));
}
