//! Loading the corpus of an `eval`.

use rayon::ThreadPoolBuilder;
use robosift::corpus::sources::{self, SourceReport};
use robosift::corpus::{Corpus, CorpusBuilder};

use super::arguments::EvalArguments;
use super::plan::EvalPlan;
use super::progress;
use crate::cli::message::{CliError, note};

/// A corpus and what came up while it was loaded.
pub(super) struct Loaded {
    pub(super) corpus: Corpus,
    pub(super) report: SourceReport,
}

/// Reads all sources and compiles their bodies.
pub(super) fn load(arguments: &EvalArguments, plan: &EvalPlan) -> Result<Loaded, CliError> {
    let waiting = progress::waiting(arguments.quiet, "reading the corpus");
    let mut builder =
        CorpusBuilder::new(plan.settings.dialect, plan.body_limit).with_wanted(plan.asked.wanted());
    let mut report = SourceReport::default();
    for path in &arguments.corpus.corpus {
        sources::load(path, &plan.sources, &mut builder, &mut report).map_err(CliError::failed)?;
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()
        .map_err(|error| CliError::failed(format!("cannot start threads: {error}")))?;
    let corpus = pool.install(|| builder.finish());
    waiting.finish_and_clear();
    if !arguments.quiet {
        report.notes.iter().for_each(note);
        if corpus.num_captures_without_place() > 0 {
            note(format!(
                "{} captures were left out: their origin or URL is not an absolute http(s) one",
                corpus.num_captures_without_place()
            ));
        }
    }
    Ok(Loaded { corpus, report })
}
