//! Loading the corpus of an `eval`.

use std::path::Path;

use robosift::corpus::sources::{self, SourceReport};
use robosift::corpus::{Corpus, CorpusBuilder};

use super::arguments::EvalArguments;
use super::plan::EvalPlan;
use crate::cli::message::{CliError, note, notes};
use crate::cli::progress;
use crate::cli::quantity::counted;

/// What is kept of the bodies of captures that are compiled in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Programs,
    ProgramsAndTexts,
}

/// A corpus and what came up while it was loaded.
pub(crate) struct Loaded {
    pub(crate) corpus: Corpus,
    pub(crate) report: SourceReport,
}

/// The corpus at `path`, if it is a built one that can be asked as it stands. One that was built with another body limit
/// is read and compiled anew, like any other source.
fn built(
    path: &Path,
    arguments: &EvalArguments,
    plan: &EvalPlan,
) -> Result<Option<Corpus>, CliError> {
    if !Corpus::is_at(path) {
        return Ok(None);
    }
    let given = [
        ("--origin", arguments.corpus.origin.is_some()),
        ("--robots-columns", arguments.corpus.robots_columns.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        let path = path.display();
        return Err(CliError::usage(format!("{flag} says nothing about the built corpus {path}")));
    }
    let corpus = Corpus::open(path, &plan.settings.dialect).map_err(CliError::failed)?;
    let without_status = corpus.facts().counts.without_status;
    if without_status > 0 && !arguments.running.quiet {
        note(format!(
            "{} without a status count as 200 where they have a body",
            counted(without_status, "capture")
        ));
    }
    Ok((corpus.facts().limit == plan.body_limit).then_some(corpus))
}

/// Opens a built corpus; else reads all sources and compiles their bodies.
pub(crate) fn load(
    arguments: &EvalArguments,
    plan: &EvalPlan,
    keep: Keep,
) -> Result<Loaded, CliError> {
    if let [path] = arguments.corpus.corpus.as_slice()
        && let Some(corpus) = built(path, arguments, plan)?
    {
        return Ok(Loaded { corpus, report: SourceReport::default() });
    }
    let waiting = progress::waiting(arguments.running.quiet, "reading the corpus");
    let mut builder =
        CorpusBuilder::new(plan.settings.dialect, plan.body_limit).with_wanted(plan.asked.wanted());
    if keep == Keep::ProgramsAndTexts {
        builder = builder.with_texts();
    }
    let mut report = SourceReport::default();
    for path in &arguments.corpus.corpus {
        sources::load(path, &plan.sources, &mut builder, &mut report).map_err(CliError::failed)?;
    }
    let pool = arguments.running.pool()?;
    let corpus = pool.install(|| builder.finish()).map_err(CliError::failed)?;
    waiting.finish_and_clear();
    if !arguments.running.quiet {
        notes(&report.notes);
        let left_out = corpus.facts().counts.without_place;
        if left_out > 0 {
            note(format!(
                "{left_out} captures were left out: their origin or URL is not an absolute http(s) one"
            ));
        }
        let unresolved = corpus.facts().counts.revisits_unresolved;
        if unresolved > 0 {
            note(format!(
                "{} of a body that is not there: captures without one",
                counted(unresolved, "revisit")
            ));
        }
    }
    Ok(Loaded { corpus, report })
}
