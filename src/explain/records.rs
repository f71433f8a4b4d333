//! The other records of a body that one asks about: crawl delays, sitemaps, signals.
//!
//! Enters: a parsed body. Leaves: those records, at most some hundred. Cost: one pass over the
//! records. Must not know: what a signal's value means.

use super::story::{RecordKind, RecordStory};
use crate::parse::{Record, Robots};

/// Records that are kept: a web page in the place of a robots.txt has thousands of lines with a colon.
const MOST_RECORDS: usize = 500;

/// Keys by their kind, lower case.
const KEYS: [(&str, RecordKind); 6] = [
    ("crawl-delay", RecordKind::CrawlDelay),
    ("sitemap", RecordKind::Sitemap),
    ("site-map", RecordKind::Sitemap),
    ("content-signal", RecordKind::Signal),
    ("content-usage", RecordKind::Signal),
    ("disallowaitraining", RecordKind::Signal),
];

/// What a record is; `None` for those that nobody asks about.
fn kind(record: &Record<'_>) -> Option<RecordKind> {
    let key = KEYS.iter().find(|(key, _)| record.name.eq_ignore_ascii_case(key.as_bytes()));
    key.map(|(_, kind)| *kind)
}

/// Whether a record belongs to the group that it stands in.
pub(super) fn belongs_to_group(record: &Record<'_>) -> bool {
    kind(record).is_some_and(|kind| kind != RecordKind::Sitemap)
}

/// The records of a body that one asks about, in its order, each with its group; those of groups as if they did not apply.
pub(super) fn records(robots: &Robots<'_>) -> Vec<(Option<usize>, RecordStory)> {
    let story = |record: &Record<'_>| {
        let kind = kind(record)?;
        let text = |octets| String::from_utf8_lossy(octets).into_owned();
        let group = record.group.filter(|_| kind != RecordKind::Sitemap);
        let story = RecordStory {
            line: record.line,
            kind,
            name: text(record.name),
            value: text(record.value),
            applies: group.is_none(),
        };
        Some((group, story))
    };
    robots.records.iter().filter_map(story).take(MOST_RECORDS).collect()
}
