//! What a corpus holds, as tables for SQL.
//!
//! Enters: a corpus. Leaves: Parquet: its captures, a row each, or the records of its bodies that are no rules. In the order of the
//! corpus; memory for one row group. Must not know: who is judged.

mod captures;
mod records;
mod table;

pub use captures::write_captures;
pub use records::write_records;
pub(crate) use table::TableFile;
