//! All rules of a group that match a path, not only the one that decides: for who explains a verdict.
//!
//! Enters: a group and a path prepared for its dialect. Leaves: rules by rank. Cost: each rule is looked at, one pass over the
//! path at most. Must not know: why somebody wants to see them.

use super::{Match, wildcard};
use crate::compile::GroupProgram;

/// The rules of `group` that match `path`, the one that decides first.
///
/// # Complexity
/// At most octets of path and patterns times rules.
///
/// # Examples
/// ```
/// use robosift::compile::{BodyLimit, compile};
/// use robosift::matching::every;
/// use robosift::parse::Dialect;
/// let body = b"User-agent: *\nDisallow: /shop\nAllow: /shop/*.pdf$\nDisallow: /cart\n";
/// let program = compile(body, &Dialect::RFC9309, BodyLimit::DEFAULT);
/// let group = program.group(program.wildcard().ok_or("no * group")?);
/// let lines: Vec<u32> = every(&group, b"/shop/a.pdf").iter().map(|rule| rule.line).collect();
/// assert_eq!(lines, [3, 2]);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn every<'p>(group: &GroupProgram<'p>, path: &[u8]) -> Vec<Match<'p>> {
    group.rules().into_iter().filter(|rule| matches(rule, path)).collect()
}

fn matches(rule: &Match<'_>, path: &[u8]) -> bool {
    let text = match rule.pattern {
        [text @ .., b'$'] if rule.anchored => text,
        text => text,
    };
    match text.contains(&b'*') {
        true => wildcard::matches(text, rule.anchored, path, &mut ()),
        false if rule.anchored => text == path,
        false => path.starts_with(text),
    }
}
