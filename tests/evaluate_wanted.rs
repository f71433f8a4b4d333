//! A corpus compiled for some agents alone answers them, and refuses others.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

use robosift::agents::AgentKind;
use robosift::compile::{BodyLimit, Wanted};
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{Asked, Evaluator, Layout, Settings, Suffix, VerdictColumn};
use robosift::parse::Dialect;

fn corpus(wanted: Wanted) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT).with_wanted(wanted);
    builder
        .add(RawCapture {
            place: Place::Origin(b"https://h.test".to_vec()),
            body: Some(b"User-agent: a\nDisallow: /\n".to_vec()),
            ..RawCapture::default()
        })
        .unwrap();
    builder.finish().unwrap()
}

fn refusal(corpus: &Corpus, asked: &Asked) -> Option<String> {
    let columns = VerdictColumn::STANDARD;
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    Evaluator::try_new(corpus, Settings::default(), asked.clone(), &columns, layout, suffix)
        .err()
        .map(|error| error.to_string())
}

#[test]
fn agents_that_a_corpus_was_not_compiled_for_are_refused() {
    let settings = Settings { agent_kind: AgentKind::Auto, ..Settings::default() };
    let asked = |texts: &[&'static str]| Asked::parse(texts.iter().copied(), &settings).unwrap();
    let header = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    let (one, both) = (asked(&["CCBot"]), asked(&["CCBot", "archive.org_bot", header]));
    let (everyone, star) = (Asked::Column, asked(&["*"]));
    for agents in [&one, &both, &everyone, &star] {
        assert_eq!(refusal(&corpus(agents.wanted()), agents), None);
        assert_eq!(refusal(&corpus(Wanted::All), agents), None);
        assert_eq!(refusal(&corpus(agents.wanted()), &star), None, "`*` is always answered");
    }
    assert_eq!(refusal(&corpus(both.wanted()), &one), None);
    assert_eq!(refusal(&corpus(both.wanted()), &asked(&["gptbot"])), None);
    let error = refusal(&corpus(one.wanted()), &both).unwrap();
    assert!(error.contains("archive.org_bot"), "{error}");
    assert!(refusal(&corpus(one.wanted()), &asked(&["CCBot-x"])).is_some());
    assert!(refusal(&corpus(star.wanted()), &one).is_some());
    let error = refusal(&corpus(one.wanted()), &everyone).unwrap();
    assert!(error.contains("each row"), "{error}");
}
