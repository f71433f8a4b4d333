//! Real questions: what explains a verdict is what gave it. The line of `explain` is the line of `eval`'s rule id, in both
//! dialects, and the parts of an explanation agree with each other.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/shared_data.rs"]
mod shared_data;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::datatypes::Int64Type;
use robosift::agents::Agent;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, SourceOptions, SourceReport};
use robosift::corpus::{CaptureSink, Corpus, CorpusBuilder, CorpusError, RawCapture};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::explain::{AgentStory, Explainer, KnownTexts};
use robosift::parse::{Dialect, Kind};
use robosift::table::{BatchLimits, Octets, ParquetFile};
use std::path::Path;
use std::sync::Arc;

/// Rows of the vectors, and those of them that are looked at: every so many.
const ROWS: usize = 553_406;
const EVERY: usize = 110;

/// Keeps the text of every body.
struct Everything {
    builder: CorpusBuilder,
    texts: KnownTexts,
}

impl CaptureSink for Everything {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        capture.body.iter().for_each(|body| self.texts.add(body.clone()));
        self.builder.add(capture)
    }

    fn num_without_status(&self) -> u64 {
        0
    }
}

fn corpus(path: &Path, dialect: Dialect) -> (Corpus, KnownTexts) {
    let builder = CorpusBuilder::new(dialect, BodyLimit::NONE);
    let mut sink = Everything { builder, texts: KnownTexts::default() };
    let (options, mut report) = (SourceOptions::default(), SourceReport::default());
    sources::load(path, &options, &mut sink, &mut report).unwrap();
    (sink.builder.finish().unwrap(), sink.texts)
}

/// Agents and URLs of the rows that are looked at.
fn sample(path: &Path) -> (Vec<String>, Vec<String>) {
    let file = ParquetFile::open(path).unwrap();
    let columns = ["agent", "url"].map(|name| file.column(name).unwrap());
    let limits = BatchLimits { rows: 65_536, octets: 64 << 20 };
    let (mut agents, mut urls, mut row) = (Vec::new(), Vec::new(), 0);
    for group in 0..file.num_row_groups() {
        for batch in file.read(group, &columns, limits).unwrap() {
            let batch: Vec<ArrayRef> = batch.unwrap();
            let texts = [0, 1].map(|at| Octets::try_new(batch[at].as_ref()).unwrap());
            for at in 0..texts[0].len() {
                if row % EVERY == 0 {
                    let text = |column: usize| {
                        String::from_utf8_lossy(texts[column].value(at).unwrap()).into_owned()
                    };
                    agents.push(text(0));
                    urls.push(text(1));
                }
                row += 1;
            }
        }
    }
    assert_eq!(row, ROWS);
    (agents, urls)
}

const COLUMNS: &str = "robots_allowed,robots_basis,robots_rule_id,robots_group,robots_specificity";

fn evaluate(
    corpus: &Corpus,
    settings: &Settings,
    agents: &[String],
    urls: &[String],
) -> RecordBatch {
    let columns = VerdictColumn::parse_list(COLUMNS).unwrap();
    let evaluator = Evaluator::try_new(
        corpus,
        settings.clone(),
        Asked::Column,
        &columns,
        Layout::Wide,
        Suffix::Auto,
    );
    let strings = |texts: &[String]| -> ArrayRef { Arc::new(StringArray::from_iter_values(texts)) };
    let (urls, agents) = (strings(urls), strings(agents));
    let rows = RowColumns::try_new(&urls, Some(&agents), None).unwrap();
    evaluator.unwrap().evaluate(&rows, 0, &mut Scratch::default(), &mut Tally::default()).unwrap()
}

/// What does not hold of a story besides what `eval` says.
fn contradiction(story: &AgentStory, name: &str) -> Option<&'static str> {
    let applying = story.groups.iter().filter(|group| group.passed_over.is_none());
    let in_group = |line: u32| {
        applying.clone().any(|group| (group.first_line..=group.last_line).contains(&line))
    };
    let other = story.other.as_ref()?;
    match () {
        () if !story.rules.iter().all(|rule| in_group(rule.line)) => {
            Some("a rule that matches stands in no group that applies")
        }
        () if story.applied.is_some() && applying.clone().count() == 0 => {
            Some("a group applies, but none of the body does")
        }
        () if story.rules.iter().any(|rule| rule.written.is_none()) => {
            Some("a rule does not stand in the text")
        }
        () if other.dialect.name == name => Some("the other dialect is the same"),
        () if other.differs == other.clauses.is_empty() => {
            Some("a difference without a clause, or a clause without one")
        }
        () => None,
    }
}

fn check(dialect: Dialect) {
    let names = ["data/real_robots.parquet", "data/real_vectors.parquet"];
    let [Some(robots), Some(vectors)] = names.map(shared_data::shared) else { return };
    let (corpus, texts) = corpus(&robots, dialect);
    let (agents, urls) = sample(&vectors);
    assert!(agents.len() > 5_000, "{}", agents.len());
    let settings = Settings { dialect, ..Settings::default() };
    let verdicts = evaluate(&corpus, &settings, &agents, &urls);
    let allowed = verdicts.column(0).as_boolean();
    let [bases, groups] = [1, 3].map(|at| verdicts.column(at).as_string::<i32>().clone());
    let ids = verdicts.column(2).as_primitive::<Int64Type>();
    let explainer = Explainer::new(&corpus, &texts, &settings);
    let (mut differing, mut deciding, mut mistakes) = (0, 0, Vec::new());
    for (row, (agent, url)) in agents.iter().zip(&urls).enumerate() {
        let read =
            Agent::parse(agent.as_bytes(), settings.agent_kind, settings.name_rules()).unwrap();
        let told = explainer.explain(url, &[read], None).unwrap();
        let story = &told.agents[0];
        let body = story.capture.and_then(|at| told.captures[at].body.as_ref());
        let id = story.deciding_line().zip(body);
        let id = id.map(|(line, body)| i64::from(body.id.number()) << 32 | i64::from(line));
        let group = story.applied.as_ref().map(|applied| applied.kind.name());
        let own = (story.allowed, story.basis.name(), id, group);
        let wanted = (
            allowed.is_valid(row).then(|| allowed.value(row)),
            bases.value(row),
            ids.is_valid(row).then(|| ids.value(row)),
            groups.is_valid(row).then(|| groups.value(row)),
        );
        let by_rule = story.rules.first().map(|rule| rule.kind == Kind::Allow);
        let contradiction = contradiction(story, dialect.name);
        if own != wanted
            || contradiction.is_some()
            || by_rule.is_some_and(|by| story.allowed != Some(by))
        {
            mistakes
                .push(format!("`{agent}` `{url}`: {own:?}, eval {wanted:?}, {contradiction:?}"));
        }
        deciding += usize::from(id.is_some());
        differing += usize::from(story.other.as_ref().is_some_and(|other| other.differs));
    }
    let shown = mistakes.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(mistakes.is_empty(), "{} mistakes:\n{shown}", mistakes.len());
    assert!(deciding > 1_000 && differing > 0, "{deciding} with a rule, {differing} differ");
}

#[test]
fn explain_names_the_rule_that_eval_names_in_dialect_rfc9309() {
    check(Dialect::RFC9309);
}

#[test]
fn explain_names_the_rule_that_eval_names_in_dialect_google() {
    check(Dialect::GOOGLE);
}
