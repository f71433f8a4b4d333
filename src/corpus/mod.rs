//! Captures → what each origin said.
//!
//! ```text
//! sources (tables, folders, one file) ─▶ RawCapture ─builder─▶ Corpus ─site─▶ Site
//! ```
//!
//! Enters: captures of robots.txt files as somebody stored them, raw statuses and all. Leaves: a
//! [`Corpus`], in which identical bodies are compiled once, and for an origin under a [`Policy`] a
//! [`Site`]: the access result and the program that applies. In memory; a capture costs some
//! hundred octets besides its body's program. What is asked of it, rows and columns, is not known
//! here.

mod builder;
mod capture;
mod error;
mod index;
mod lists;
mod policy;
mod redirect;
mod site;
pub mod sources;
mod store;

pub use builder::CorpusBuilder;
pub use capture::{Capture, CaptureFlags, Place, RawCapture, Status};
pub use error::CorpusError;
pub use index::{Lookups, NameHash};
pub use policy::{Outcome, Override, Policy, StatusClass};
pub use site::{Access, Site};
pub use store::{Body, BodyId, Corpus, OriginId};
