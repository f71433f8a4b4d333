//! Columns of Parquet files, taken as untrusted input.
//!
//! **Purpose.** Open a Parquet file, find columns by name, and hand out the rows of one row group as Arrow arrays in bounded batches.
//! **Enters**: paths and column names. **Leaves**: arrays, one per column, string-like ones as octets ([`Octets`]), or a [`TableError`]
//! that names file, row group and column.
//! **Cost.** Opening reads the footer once; reading touches only the pages of the columns asked for, page by page, so memory follows the
//! batch and the page size and not the row group.
//! **Must not know**: what a column means. No robots, URLs, agents or verdicts here.
//!
//! Besides, `encode` has what writers of columns share.
//!
//! Three lines of defence stand between a hostile file and the process:
//! 1. sizes claimed by the footer and by each page header are checked against the file, the codec's largest possible ratio and each other
//!    *before* anything is allocated for them, because a failed allocation ends the process and cannot be caught;
//! 2. decoded pages whose encoding carries counts of its own (the delta encodings) are checked before they reach the decoder;
//! 3. every call into the Parquet reader goes through one guard that turns a panic into a damaged-file error.

mod batches;
mod columns;
mod delta;
pub(crate) mod encode;
mod error;
mod file;
mod footer;
mod guard;
mod header;
mod octets;
mod pages;
mod projection;
mod source;
mod target;
mod thrift;
mod times;

pub use batches::{BatchLimits, Batches};
pub use columns::Column;
pub use error::TableError;
pub use file::ParquetFile;
pub use guard::guarded;
pub use octets::Octets;
pub use target::refuse_special;
pub use times::{TIME_TYPES, Times, may_hold_times};

pub(crate) use batches::Rows;
pub(crate) use source::read_exact_at;
