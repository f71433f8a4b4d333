//! An explanation reads what concerns its URL: the blocks of a corpus that it touches do not become more with the corpus.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

use cli::{Bench, robots};
use robosift::agents::{Agent, AgentKind};
use robosift::corpus::{Corpus, files::BLOCK_LEN};
use robosift::evaluate::{Basis, Settings};
use robosift::explain::{Explainer, KnownTexts};
use robosift::parse::Dialect;

/// Builds a corpus of so many origins, each with a body of its own, and explains a URL of one in the middle. Gives the blocks
/// that were read when it was opened and when all was told, and how many there are.
fn blocks(num_origins: usize) -> [u64; 3] {
    let bench = Bench::new();
    let captures: Vec<_> = (0..num_origins)
        .map(|number| {
            let body = format!(
                "User-agent: GPTBot\nDisallow: /{number}/\n\nUser-agent: *\nDisallow: /cgi-bin/\n"
            );
            robots(&format!("https://h{number:06}.example.com"), body)
        })
        .collect();
    bench.robots("robots.parquet", &captures);
    bench.run(&["corpus", "build", "robots.parquet", "-o", "c", "-q"]).ends_with(0);
    let len = |name: &String| bench.path(&format!("c/{name}")).metadata().unwrap().len();
    let all: u64 = bench.listing("c").iter().map(len).sum();
    let corpus = Corpus::open(&bench.path("c"), &Dialect::RFC9309).unwrap();
    assert_eq!(corpus.num_origins(), num_origins);
    let opened = corpus.num_blocks_read();
    let settings = Settings::default();
    let agent = Agent::parse(b"GPTBot", AgentKind::Auto, settings.name_rules()).unwrap();
    let texts = KnownTexts::default();
    let number = num_origins / 2;
    let url = format!("https://h{number:06}.example.com/{number}/a.html");
    let told = Explainer::new(&corpus, &texts, &settings).explain(&url, &[agent], None).unwrap();
    assert_eq!((told.agents[0].basis, told.agents[0].allowed), (Basis::Rule, Some(false)));
    let written = told.agents[0].rules[0].written.as_deref();
    assert_eq!(written, Some(format!("/{number}/").as_str()));
    [opened, corpus.num_blocks_read(), all / BLOCK_LEN]
}

#[test]
fn a_corpus_ten_times_as_large_costs_no_more_blocks_but_for_the_depth_of_its_checksums() {
    let [small_opened, small, small_all] = blocks(10_000);
    let [large_opened, large, large_all] = blocks(100_000);
    assert!(large_all > 8 * small_all, "{large_all} blocks, {small_all} blocks");
    // Opening reads the footers, some octets for each batch of rows.
    assert!(large_opened <= small_opened + 8, "{large_opened} blocks opened, {small_opened}");
    // Seven tables are read: each may have a level of checksums more, and a look-up may straddle a block.
    let (small, large) = (small - small_opened, large - large_opened);
    assert!(large <= small + 14 && large < 60, "{large} blocks read, {small} of the smaller one");
}
