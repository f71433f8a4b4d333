//! Captures → what each origin said at each time.
//!
//! ```text
//! sources (archives, tables, folders) ─▶ RawCapture ─build─▶ tables ─open─▶ Corpus ─site─▶ Site
//! ```
//!
//! Enters: captures of robots.txt files as somebody stored them, raw statuses and all. Leaves: a
//! [`Corpus`], in which identical bodies are compiled once, and for an origin under a [`Policy`] a
//! [`Site`]: the access result and the program that applies. The same tables in memory and in a folder, from which they
//! are mapped; a capture costs some hundred octets besides its body's program. What is asked of it, rows and columns, is
//! not known here.

mod archived;
mod build;
mod capture;
mod captures;
mod error;
pub mod export;
mod facts;
// Public for its tests alone.
#[doc(hidden)]
pub mod files;
mod format;
mod frames;
mod index;
mod inspect;
mod moment;
mod open;
mod part;
mod policy;
mod redirect;
mod sentences;
mod shards;
mod shown;
mod site;
pub mod sources;
mod store;
mod targets;
mod visits;

pub use build::{
    BuildReport, BuildStop, CorpusBuilder, FolderBuild, FolderIntake, FolderPlan, Located, Target,
    locate,
};
pub use capture::{
    Archived, CaptureFlags, CaptureSink, PayloadDigest, Place, RawCapture, Revisit, Status,
};
pub use captures::Capture;
pub use error::CorpusError;
pub use facts::{Counts, Facts};
pub use index::{Lookups, NameHash};
pub use inspect::CorpusFiles;
pub use moment::{AsOf, Moment, Times};
pub use policy::{Outcome, Override, Policy, StatusClass};
pub use sentences::Sentences;
pub use shards::{ShardsReport, settle_shards};
pub use site::{Access, Answered, Site};
pub use store::{BodyId, Corpus, OriginId};
pub use visits::{LaterVisits, Visits};

/// Octets as hexadecimal digits, as digests are shown.
#[must_use]
pub fn hex(octets: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    octets.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 15)]).collect()
}
