//! What bodies hold, as text in tables for SQL: cut to what is kept, because some bodies are made to be in the way.

use crate::parse::UserAgentLine;

/// Octets of a pattern, a value or a name that are kept.
const MOST_TEXT: usize = 4_096;

/// Names of a group that are listed, and their octets together.
const MOST_NAMES: usize = 256;
const MOST_NAME_OCTETS: usize = 4_096;

/// Octets as text.
pub(super) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(kept(octets)).into_owned()
}

/// Appends octets as text; what is known to be ASCII is text as it stands.
pub(super) fn append(octets: &[u8], is_ascii: bool, out: &mut Vec<u8>) {
    match is_ascii {
        true => out.extend_from_slice(kept(octets)),
        false => out.extend_from_slice(text(octets).as_bytes()),
    }
}

fn kept(octets: &[u8]) -> &[u8] {
    octets.get(..MOST_TEXT).unwrap_or(octets)
}

/// The names that user-agent lines give their group.
pub(super) fn names(lines: &[UserAgentLine<'_>]) -> Vec<String> {
    let name = |line: &UserAgentLine<'_>| match line.is_wildcard() {
        true => "*".to_owned(),
        false => text(line.whole_name()),
    };
    let mut octets = 0;
    let names = lines.iter().take(MOST_NAMES).map(name);
    let names = names.take_while(|name| {
        octets += name.len();
        octets <= MOST_NAME_OCTETS
    });
    names.collect()
}
