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
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, files::BLOCK_LEN};
use robosift::corpus::{CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{Basis, Settings};
use robosift::explain::{AgentStory, Explainer, GroupStory, KnownTexts, PassedOver};
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

/// What one body answers these agents.
fn stories(body: &str, agents: &[String]) -> Vec<AgentStory> {
    let settings = Settings::default();
    let read = |agent: &String| settings.read_agent(agent.as_bytes()).unwrap();
    let agents: Vec<Agent> = agents.iter().map(read).collect();
    let mut builder = CorpusBuilder::new(settings.dialect, BodyLimit::NONE);
    let capture = RawCapture {
        place: Place::Origin(b"https://a.example".to_vec()),
        body: Some(body.as_bytes().to_vec()),
        ..RawCapture::default()
    };
    robosift::corpus::CaptureSink::add(&mut builder, capture).unwrap();
    let corpus = builder.finish().unwrap();
    let mut texts = KnownTexts::default();
    texts.add(body.as_bytes().to_vec());
    let explainer = Explainer::new(&corpus, &texts, &settings);
    explainer.explain("https://a.example/x", &agents, None).unwrap().agents
}

#[test]
fn what_is_listed_for_many_agents_grows_with_their_number_and_not_with_that_of_groups_too() {
    let name = |n: usize| -> String {
        [n / 676, n / 26 % 26, n % 26]
            .map(|n| char::from(b'a' + u8::try_from(n).unwrap()))
            .iter()
            .collect()
    };
    let mut body: String =
        (0..2_000).map(|n| format!("User-agent: bot-{}\nDisallow: /{n}\n", name(n))).collect();
    // Groups of everyone, and one whose names are many.
    body += "User-agent: *\nDisallow: /a\n";
    (0..2_000).for_each(|n| body += &format!("User-agent: bot-{}\n", name(n)));
    body += "Disallow: /x\n";
    let agents: Vec<String> = (0..2_100).map(|n| format!("bot-{}", name(n))).collect();
    let many = stories(&body, &agents);
    let listed = |story: &AgentStory| -> usize {
        story.groups.iter().map(|group| 1 + group.user_agents.len()).sum()
    };
    let all: usize = many.iter().map(listed).sum();
    assert!(all < 100 * agents.len(), "{all} lines");
    for at in [0, 1_999, 2_000, 2_099] {
        let [alone] = &stories(&body, &agents[at..=at])[..] else { panic!("one agent") };
        let of_many = &many[at];
        assert_eq!(
            (alone.groups.len(), alone.num_groups, of_many.num_groups),
            (2_002, 2_002, 2_002)
        );
        let concerned = |group: &&GroupStory| group.passed_over != Some(PassedOver::NamesOthers);
        let wanted = alone.groups.iter().filter(concerned).map(|group| GroupStory {
            user_agents: group.user_agents.iter().take(16).cloned().collect(),
            ..group.clone()
        });
        assert_eq!(of_many.groups, wanted.collect::<Vec<_>>(), "{}", of_many.agent);
        assert_eq!((&of_many.reason, &of_many.rules), (&alone.reason, &alone.rules));
    }
}
