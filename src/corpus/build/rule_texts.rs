//! The columns of text of `rules.parquet`, a row group at a time.
//!
//! Enters: rules, each of a group of names of a body. Leaves: encoded columns. A digest is looked up once a body and a name
//! once a group, not once a rule. Memory: the encoded columns, four octets a rule and some six a name of a rule. Must not
//! know: numbers, files.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use parquet::basic::{Compression, Encoding};
use parquet::errors::Result;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use crate::compile::narrow;
use crate::parse::Kind;
use crate::table::encode::{Chunk, Pages, hybrid};

/// Values and octets from which on a page is written.
const PAGE_VALUES: usize = 1 << 17;
const PAGE_OCTETS: usize = 1 << 20;

/// Where the key of `allow` and `disallow` stand in the dictionary of kinds.
const KINDS: [(Kind, &str); 2] = [(Kind::Allow, "allow"), (Kind::Disallow, "disallow")];

/// The columns of the row group under way.
pub(super) struct RuleTexts {
    digest: Keyed,
    kind: Keyed,
    pattern: Plain,
    tokens: Lists,
    /// The keys of the body's digest and of the group's names.
    of_body: u32,
    of_group: Vec<u32>,
    names: HashMap<String, u32, RandomState>,
}

/// The encoded columns.
pub(super) struct RuleChunks {
    pub(super) digest: Chunk,
    pub(super) kind: Chunk,
    pub(super) pattern: Chunk,
    pub(super) tokens: Chunk,
}

impl RuleTexts {
    /// For the columns `digest`, `kind`, `pattern` and `tokens`.
    pub(super) fn new(columns: [&ColumnDescPtr; 4], compression: Compression) -> Result<Self> {
        let [digest, kind, pattern, tokens] = columns.map(|column| Pages::new(column, compression));
        let mut kind = Keyed::new(kind?);
        for (_, word) in KINDS {
            kind.words.push(word);
        }
        Ok(RuleTexts {
            digest: Keyed::new(digest?),
            kind,
            pattern: Plain { pages: pattern?, page: Vec::new(), num_values: 0 },
            tokens: Lists { keyed: Keyed::new(tokens?), starts: Vec::new(), depths: Vec::new() },
            of_body: 0,
            of_group: Vec::new(),
            names: HashMap::default(),
        })
    }

    /// The rules that follow are of the body with this digest.
    pub(super) fn begin_body(&mut self, digest: &str) {
        self.of_body = self.digest.words.push(digest);
    }

    /// The rules that follow are of the group with these names.
    pub(super) fn begin_group(&mut self, names: &[String]) {
        self.of_group.clear();
        for name in names {
            let key = match self.names.get(name) {
                Some(key) => *key,
                None => {
                    let key = self.tokens.keyed.words.push(name);
                    self.names.insert(name.clone(), key);
                    key
                }
            };
            self.of_group.push(key);
        }
    }

    /// Adds a rule; gives how many octets that took, roughly.
    pub(super) fn push(&mut self, kind: Kind, pattern: &[u8]) -> Result<usize> {
        self.digest.push(self.of_body)?;
        let key = KINDS.iter().position(|(known, _)| *known == kind);
        self.kind.push(narrow(key.unwrap_or(0)))?;
        self.pattern.push(pattern)?;
        self.tokens.push(&self.of_group)?;
        Ok(pattern.len() + size_of::<u32>() * (3 + self.of_group.len()))
    }

    /// Ends the row group.
    pub(super) fn close(self) -> Result<RuleChunks> {
        Ok(RuleChunks {
            digest: self.digest.close()?,
            kind: self.kind.close()?,
            pattern: self.pattern.close()?,
            tokens: self.tokens.close()?,
        })
    }
}

/// No least and no greatest: of digests and patterns they rule nothing out.
fn statistics() -> Statistics {
    Statistics::byte_array(None, None, None, Some(0), false)
}

/// Adds a text, which is UTF-8, as plain values have it.
fn put_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&narrow(text.len()).to_le_bytes());
    out.extend_from_slice(text);
}

/// The words of a dictionary, each with its length in front.
#[derive(Default)]
struct Words {
    octets: Vec<u8>,
    count: u32,
}

impl Words {
    /// Adds a word and gives its key.
    fn push(&mut self, word: &str) -> u32 {
        put_text(word.as_bytes(), &mut self.octets);
        self.count += 1;
        self.count - 1
    }
}

/// A column of keys into a dictionary.
struct Keyed {
    pages: Pages,
    words: Words,
    /// Of the page under way.
    keys: Vec<u32>,
    page: Vec<u8>,
}

impl Keyed {
    fn new(pages: Pages) -> Self {
        Keyed { pages, words: Words::default(), keys: Vec::new(), page: Vec::new() }
    }

    #[inline]
    fn push(&mut self, key: u32) -> Result<()> {
        self.keys.push(key);
        if self.keys.len() < PAGE_VALUES {
            return Ok(());
        }
        self.end_page(self.keys.len(), self.keys.len())
    }

    /// Ends a page whose levels, if it has any, are written.
    fn end_page(&mut self, num_rows: usize, num_values: usize) -> Result<()> {
        let width = hybrid::width_of(self.words.count.saturating_sub(1));
        self.page.extend(width.to_le_bytes().first());
        hybrid::write(&self.keys, width, &mut self.page);
        self.keys.clear();
        self.pages.add(&self.page, num_rows, num_values, Encoding::RLE_DICTIONARY)?;
        self.page.clear();
        Ok(())
    }

    fn close(mut self) -> Result<Chunk> {
        if !self.keys.is_empty() {
            self.end_page(self.keys.len(), self.keys.len())?;
        }
        self.close_pages()
    }

    fn close_pages(self) -> Result<Chunk> {
        let count = usize::try_from(self.words.count).unwrap_or(usize::MAX);
        self.pages.close(Some((self.words.octets, count)), statistics())
    }
}

/// A column of texts that mostly differ.
struct Plain {
    pages: Pages,
    page: Vec<u8>,
    num_values: usize,
}

impl Plain {
    #[inline]
    fn push(&mut self, text: &[u8]) -> Result<()> {
        put_text(text, &mut self.page);
        self.num_values += 1;
        if self.page.len() < PAGE_OCTETS { Ok(()) } else { self.end_page() }
    }

    fn end_page(&mut self) -> Result<()> {
        let num_values = std::mem::take(&mut self.num_values);
        self.pages.add(&self.page, num_values, num_values, Encoding::PLAIN)?;
        self.page.clear();
        Ok(())
    }

    fn close(mut self) -> Result<Chunk> {
        if self.num_values > 0 {
            self.end_page()?;
        }
        self.pages.close(None, statistics())
    }
}

/// A column of lists of words.
struct Lists {
    keyed: Keyed,
    /// Repetition levels of the page under way: 0 where a list begins.
    starts: Vec<u8>,
    /// Definition levels: 0 of an empty list, 2 of a word.
    depths: Vec<u8>,
}

impl Lists {
    #[inline]
    fn push(&mut self, keys: &[u32]) -> Result<()> {
        self.starts.push(0);
        self.depths.push(if keys.is_empty() { 0 } else { 2 });
        for _ in keys.iter().skip(1) {
            self.starts.push(1);
            self.depths.push(2);
        }
        self.keyed.keys.extend_from_slice(keys);
        if self.starts.len() < PAGE_VALUES { Ok(()) } else { self.end_page() }
    }

    fn end_page(&mut self) -> Result<()> {
        let num_values = self.starts.len();
        let num_rows = self.starts.iter().filter(|start| **start == 0).count();
        put_levels(&self.starts, 1, &mut self.keyed.page);
        put_levels(&self.depths, 2, &mut self.keyed.page);
        self.starts.clear();
        self.depths.clear();
        self.keyed.end_page(num_rows, num_values)
    }

    fn close(mut self) -> Result<Chunk> {
        if !self.starts.is_empty() {
            self.end_page()?;
        }
        self.keyed.close_pages()
    }
}

/// Adds levels of `width` bits with their length in front.
fn put_levels(levels: &[u8], width: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    hybrid::write(levels, width, out);
    let len = narrow(out.len() - start - 4);
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&len.to_le_bytes());
    }
}
