//! What a corpus holds, as tables for SQL.
//!
//! Enters: a corpus. Leaves: Parquet: its captures, a row each, the rules of its bodies, or their records that are no rules. In the order of the
//! corpus; memory for one row group. Must not know: who is judged.

mod captures;
mod records;
mod rules;
mod shard_rules;
mod table;

pub use captures::write_captures;
pub use records::write_records;
pub use rules::write_rules;
pub(crate) use table::{ROWS_PER_GROUP, TableFile};
