//! A built corpus answers as the sources it was built of.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::{Bench, Table};
use crate::made;
use crate::shared_data::shared;

/// A Parquet file up to its footer: all columns as they are stored.
fn stored(octets: &[u8]) -> &[u8] {
    let (rest, tail) = octets.split_at(octets.len() - 8);
    let footer = u32::from_le_bytes(*tail.first_chunk().unwrap());
    &rest[..rest.len() - usize::try_from(footer).unwrap()]
}

/// Two outputs differ in nothing but the command that they tell.
#[track_caller]
fn assert_same_output(bench: &Bench, raw: &str, built: &str, what: &str) {
    assert!(stored(&bench.read(raw)) == stored(&bench.read(built)), "{what}: columns differ");
    let (raw, built) = (bench.table(raw), bench.table(built));
    assert_eq!(raw.batch.schema().fields(), built.batch.schema().fields(), "{what}");
    assert_eq!(raw.row_groups, built.row_groups, "{what}");
    let facts = |table: &Table| {
        let facts = table.metadata.iter().filter(|(key, _)| key != "robosift.command");
        facts.cloned().collect::<Vec<_>>()
    };
    assert_eq!(facts(&raw), facts(&built), "{what}");
    assert!(facts(&raw).iter().any(|(key, value)| key == "robosift.corpus" && value.len() == 64));
}

/// Judges `rows` by both, and compares.
#[track_caller]
fn check(bench: &Bench, raw: &str, built: &str, rows: &str, more: &str) {
    let eval = |corpus: &str, output: &str| {
        let words = format!("eval -q --columns full --corpus {corpus} -o {output} {more} {rows}");
        let words: Vec<&str> = words.split_whitespace().collect();
        bench.run(&words).ends_with(0);
    };
    eval(raw, "raw.parquet");
    eval(built, "built.parquet");
    assert_same_output(bench, "raw.parquet", "built.parquet", more);
}

#[test]
fn real_vectors_are_judged_alike_in_both_dialects_and_at_other_limits() {
    let names = ["data/real_robots.parquet", "data/real_vectors.parquet"];
    let [Some(robots), Some(vectors)] = names.map(shared) else { return };
    let (robots, rows) = (robots.to_str().unwrap(), vectors.to_str().unwrap());
    let bench = Bench::new();
    bench.run(&["corpus", "build", robots, "-o", "built", "-q"]).ends_with(0);
    bench.run(&["corpus", "rules", "built", "-o", "rules.parquet", "-q"]).ends_with(0);
    let rules = bench.table("rules.parquet").ints("rule_id").into_iter().flatten();
    let rules: BTreeSet<i64> = rules.collect();
    for more in [
        "--agent-column agent --dialect rfc9309",
        "--agent-column agent --dialect google",
        "--agent-column agent --dialect rfc9309 --body-limit 700",
        "--agent GPTBot,CCBot --dialect google --body-limit 0 --policy google",
    ] {
        check(&bench, robots, "built", rows, more);
        // At the corpus' own limit every rule that decided stands in its table of rules, in either dialect.
        if !more.contains("--body-limit") {
            let decided = bench.table("built.parquet").ints("robots_rule_id");
            let decided: BTreeSet<i64> = decided.into_iter().flatten().collect();
            let strays = decided.difference(&rules).count();
            assert!(strays == 0 && decided.len() > 1_000, "{strays} of {} rules", decided.len());
        }
    }
}

#[test]
fn other_real_files_are_judged_alike() {
    let Some(robots) = shared("data/extra_gov_robots.parquet") else { return };
    let bench = Bench::new();
    let robots = robots.to_str().unwrap();
    bench.run(&["corpus", "build", robots, "-o", "built", "-q"]).ends_with(0);
    bench.run(&["corpus", "captures", "built", "-o", "captures.parquet", "-q"]).ends_with(0);
    // The captures of a corpus are rows too: of `/robots.txt` itself, and with its digests as paths.
    let captures = bench.table("captures.parquet");
    let urls = captures.texts("url").into_iter().zip(captures.texts("digest"));
    let urls = urls.map(|(url, digest)| {
        url.unwrap().replace("robots.txt", &digest.unwrap_or_default().replace('0', "/"))
    });
    let urls: Vec<String> = urls.collect();
    bench.urls("rows.parquet", &urls.iter().map(String::as_str).collect::<Vec<_>>());
    check(&bench, robots, "built", "rows.parquet", "--agent GPTBot,Googlebot,* --policy closed");
}

#[test]
fn made_up_captures_are_judged_alike_under_every_policy() {
    let bench = Bench::new();
    made::write_sources(&bench, "s", 1, 600);
    made::write_rows(&bench, "rows.parquet", 600);
    bench.run(&["corpus", "build", "s0.jsonl", "-o", "built", "-q"]).ends_with(0);
    for policy in ["rfc9309", "google", "closed", "commoncrawl"] {
        let more = format!("--agent GPTBot,CCBot --policy {policy}");
        check(&bench, "s0.jsonl", "built", "rows.parquet", &more);
    }
    check(&bench, "s0.jsonl", "built", "rows.parquet", "--agent CCBot --stale 2d --body-limit 90");
}

#[test]
fn without_bodies_it_answers_at_its_own_limit_and_refuses_all_others() {
    let bench = Bench::new();
    made::write_sources(&bench, "s", 1, 200);
    made::write_rows(&bench, "rows.parquet", 200);
    let build = "corpus build s0.jsonl -o built -q --no-bodies --body-limit 1000";
    bench.run(&build.split(' ').collect::<Vec<_>>()).ends_with(0);
    let limit = "--agent GPTBot --body-limit 1000";
    check(&bench, "s0.jsonl", "built", "rows.parquet", limit);
    let refused = [
        "eval --corpus built --agent GPTBot rows.parquet -o other.parquet",
        "eval --corpus built --corpus s0.jsonl --agent GPTBot rows.parquet -o other.parquet",
        "corpus merge built -o other",
    ];
    for command in refused {
        let run = bench.run(&command.split(' ').collect::<Vec<_>>()).ends_with(4);
        run.says(&["built", "--no-bodies", "another body limit"]);
        assert!(!bench.exists("other.parquet") && !bench.exists("other"), "{command}");
    }
    let records = bench.run(&["corpus", "records", "built", "-o", "records.parquet"]).ends_with(4);
    records.says(&["without the texts of bodies"]);
    assert_eq!(bench.listing("").iter().filter(|name| name.contains("records")).count(), 0);
}

#[test]
fn what_is_no_whole_corpus_is_an_error_and_no_folder_of_hosts() {
    let bench = Bench::new();
    made::write_sources(&bench, "s", 1, 50);
    made::write_rows(&bench, "rows.parquet", 50);
    bench.run(&["corpus", "build", "s0.jsonl", "-o", "built", "-q"]).ends_with(0);
    std::fs::remove_file(bench.path("built/manifest.json")).unwrap();
    let eval = |corpus: &str| {
        bench.eval(&format!("--corpus {corpus} --agent GPTBot rows.parquet -o out.parquet"))
    };
    eval("built").ends_with(4).says(&["built", "without its manifest"]);
    bench.write("cut.partial/journal", "{}\n");
    bench.write("cut.partial/texts", "");
    eval("cut.partial").ends_with(4).says(&["cut.partial", "cut off", "--resume"]);
    let info = bench.run(&["corpus", "info", "built"]).ends_with(4);
    info.says(&["built", "no built corpus", "manifest.json"]);
    assert!(!bench.exists("out.parquet") && Path::new(&bench.path("built")).is_dir());
}
