//! Whether a body means the same in all dialects, told without compiling it for each.
//!
//! Enters: a parsed body. Leaves: true where its programs are equal octet for octet; false where they may not be.
//! Cost: one pass over names and patterns, far less than a program.

use super::pattern::{directory_of_index, is_plain};
use crate::parse::{Kind, Robots, UserAgentLine};

/// Whether programs of `robots` are the same in all dialects. Each field of [`Dialect`](crate::parse::Dialect) by which
/// programs can differ is asked about here: `line_limit`, `whole_names`, `normalisation`, `index_html`.
pub(crate) fn is_alike(robots: &Robots<'_>) -> bool {
    robots.long_lines == 0
        && robots.user_agents.iter().all(has_plain_name)
        && robots.rules.iter().all(|rule| {
            is_plain(rule.pattern)
                && (rule.kind == Kind::Disallow || directory_of_index(rule.pattern).is_none())
        })
}

/// No octets but those of tokens stand before a version.
fn has_plain_name(line: &UserAgentLine<'_>) -> bool {
    line.is_wildcard() || line.whole_name().len() <= line.token().len()
}
