//! `robosift corpus info`: what a corpus says of itself.

use std::path::PathBuf;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use robosift::corpus::{Corpus, CorpusFiles, hex};
use serde_json::json;

use super::super::exit::Exit;
use super::super::message::{CliError, show};

const EXAMPLE: &str = "\
Example:
  robosift corpus info demo.corpus
  robosift corpus info demo.corpus --verify

Exit codes: 0 done, 2 the command line makes no sense, 4 failed (also: something is damaged).";

/// Say what is in a corpus
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct InfoArguments {
    /// A built corpus: one folder, or one of shards
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Read every octet and compare it with its checksum
    #[arg(long)]
    verify: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &InfoArguments) -> Result<Exit, CliError> {
    let corpus = Corpus::open_any(&arguments.corpus).map_err(CliError::failed)?;
    let files = CorpusFiles::open(&arguments.corpus).map_err(CliError::failed)?;
    if arguments.verify {
        files.verify().map_err(CliError::failed)?;
    }
    let facts = corpus.facts();
    let sources = corpus.source_names().map_err(CliError::failed)?;
    let fingerprint = hex(&facts.fingerprint);
    let dialects: Vec<&str> = facts.dialects.iter().map(|dialect| dialect.name).collect();
    let octets: u64 = files.lens().map(|(_, len)| len).sum();
    if arguments.json {
        let lens = files.lens().map(|(name, len)| (name.to_owned(), json!(len)));
        let lens: serde_json::Map<_, _> = lens.collect();
        show(json!({
            "origins": corpus.num_origins(),
            "captures": facts.counts.captures,
            "captures_imported": facts.counts.imported,
            "captures_without_place": facts.counts.without_place,
            "revisits": facts.counts.revisits,
            "revisits_unresolved": facts.counts.revisits_unresolved,
            "bodies": corpus.num_bodies(),
            "shards": corpus.num_shards(),
            "dialects": dialects,
            "body_limit": facts.limit.octets(),
            "texts": facts.has_texts,
            "fingerprint": fingerprint,
            "sources": sources,
            "built_by": files.built_by(),
            "octets": octets,
            "files": lens,
            "verified": arguments.verify,
        }));
        return Ok(Exit::Done);
    }
    let count = |number: u64| HumanCount(number);
    show(format_args!("origins      {}", count(corpus.num_origins() as u64)));
    show(format_args!("captures     {}", count(facts.counts.captures)));
    show(format_args!("bodies       {} distinct", count(corpus.num_bodies() as u64)));
    if let Some(shards) = corpus.num_shards() {
        show(format_args!("shards       {}", count(shards as u64)));
    }
    show(format_args!("dialects     {}", dialects.join(", ")));
    show(format_args!("body limit   {} octets", count(facts.limit.octets() as u64)));
    show(format_args!("texts        {}", if facts.has_texts { "kept" } else { "left out" }));
    show(format_args!("sources      {}", count(sources.len() as u64)));
    show(format_args!("size         {}", HumanBytes(octets)));
    show(format_args!("built by     {}", files.built_by()));
    show(format_args!("fingerprint  {fingerprint}"));
    if arguments.verify {
        show("every octet is as it was written");
    }
    Ok(Exit::Done)
}
