//! A body as groups of rules and other records, borrowed from it.
//!
//! ```text
//! octets ─lines─▶ Line ─field─▶ Field (key, value) ─robots─▶ Robots (groups, rules, records)
//! ```
//!
//! Enters: the octets of one robots.txt and a [`Dialect`]. Leaves: [`Robots`]. Every body parses;
//! the cost is one pass over it and one entry a line that says something. What a pattern means and
//! how it is matched is not known here.

mod dialect;
mod field;
mod read;
mod robots;

pub use dialect::{Dialect, LONG_LINE, Normalisation, PathStart};
pub use field::{Field, Key, field};
pub(crate) use robots::parse_groups_in;
pub use robots::{Group, Kind, Record, Robots, Rule, UserAgentLine, parse, parse_groups};
