//! Sentences for a user: the first of them, and how many there were.
//!
//! Enters: one for each thing that came up, of which a file made for it may have millions. Leaves: at most
//! [`Sentences::MOST`], each of at most a thousand octets, and the exact count. Must not know: what they are about.

use std::fmt::{Display, Write};

/// Sentences of which the first were kept and all were counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences {
    kept: Vec<String>,
    count: u64,
}

/// Octets of a sentence that are kept: it may quote what stands in a file.
const MOST_OCTETS: usize = 1_000;

impl Sentences {
    /// Sentences that are kept.
    pub const MOST: usize = 1_000;

    /// Adds one; it is not made where it would not be kept.
    pub fn push(&mut self, sentence: impl Display) {
        self.count += 1;
        if self.kept.len() < Self::MOST {
            let mut text = Cut(String::new());
            // Ends early where no more is kept.
            let _ = write!(text, "{sentence}");
            self.kept.push(text.0);
        }
    }

    /// Adds those of `other`.
    pub fn add(&mut self, other: Sentences) {
        let room = Self::MOST.saturating_sub(self.kept.len());
        self.kept.extend(other.kept.into_iter().take(room));
        self.count += other.count;
    }

    /// The first ones.
    #[must_use]
    pub fn kept(&self) -> &[String] {
        &self.kept
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether there was none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// As they were written down: the first ones, and how many there were.
    pub(super) fn of(kept: Vec<String>, count: u64) -> Self {
        Sentences { kept, count }
    }
}

/// A text that takes no more than [`MOST_OCTETS`].
struct Cut(String);

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = MOST_OCTETS.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.extend(text.get(..text.floor_char_boundary(room)));
        self.0.push('…');
        Err(std::fmt::Error)
    }
}
