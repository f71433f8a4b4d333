//! Identification strings: the product names in the value of a `User-Agent` header.
//!
//! Enters: a trimmed, non-empty identification string, any octets. Leaves: its names in order of
//! standing: known names of the registry, then the product after `compatible;`, then other
//! products, each kind in order of appearance.
//!
//! Cost: every octet is looked at a fixed number of times, whatever the string; memory is bounded
//! by the names kept, at most [`MAX_NAMES`].
//!
//! Must not know: dialects. The version is the header's own, so it is cut in all of them.
//!
//! The string is read as pieces between blanks, brackets, quotes, `;` and `,`. Brackets are not
//! counted: a comment (RFC 9110 section 5.6.5) is where most crawlers write their name.

use super::browser_words::is_browser_word;
use super::registry::{is_word_octet, name_len_at};
use super::{AgentName, MAX_NAMES, before, is_blank, trim, trim_blanks};

/// Names of the identification string in order of standing, without duplicates.
pub(super) fn read_names(text: &[u8]) -> Vec<AgentName> {
    let mut reader = Reader { text, ..Reader::default() };
    let mut at = 0;
    while !reader.known.is_full()
        && let Some(piece) = next_piece(text, at)
    {
        if !piece.is_address {
            reader.read_piece(piece);
        }
        at = piece.end;
    }
    let mut names = reader.known;
    for name in reader.addressed.0.into_iter().chain(reader.products.0) {
        names.push(Some(name));
    }
    names.0
}

/// Names in order of appearance, without duplicates, at most [`MAX_NAMES`].
#[derive(Default)]
struct Names(Vec<AgentName>);

impl Names {
    fn is_full(&self) -> bool {
        self.0.len() >= MAX_NAMES
    }

    fn push(&mut self, name: Option<AgentName>) {
        if let Some(name) = name
            && !self.is_full()
            && !self.0.contains(&name)
        {
            self.0.push(name);
        }
    }
}

/// Collects the names of one string, piece by piece.
#[derive(Default)]
struct Reader<'t> {
    text: &'t [u8],
    /// Names of the registry.
    known: Names,
    /// Products after `compatible;`.
    addressed: Names,
    /// Other products.
    products: Names,
    /// Octets before this place belong to a name already read: `Bot` of `Kangaroo Bot/1.0` is
    /// not a product of its own.
    known_end: usize,
    addressed_end: usize,
}

impl<'t> Reader<'t> {
    fn read_piece(&mut self, piece: Piece) {
        let octets = self.slice(piece.start, piece.end);
        if octets.eq_ignore_ascii_case(b"compatible") {
            self.read_addressed(piece.end);
        }
        let head_end = piece.start + before(octets, |octet| octet == b'/').len();
        self.read_known(piece.start, head_end);
        self.read_product(piece, head_end);
        self.read_known(head_end, piece.end);
    }

    /// Looks for names of the registry that begin in `start..end`.
    fn read_known(&mut self, start: usize, end: usize) {
        let mut at = start.max(self.known_end);
        while at < end {
            let rest = self.slice(at, end);
            let word_len = rest.iter().take_while(|&&octet| is_word_octet(octet)).count();
            let name_len = name_len_at(self.slice(at, self.text.len()), word_len);
            if name_len > 0 {
                self.known.push(AgentName::of(self.slice(at, at + name_len)));
                self.known_end = at + name_len;
            }
            at += word_len.max(name_len).max(1);
        }
    }

    /// Reads the piece's name where it is a product: `name/version`, or the string's first word,
    /// which is a product also without a version (RFC 9110 section 10.1.5).
    fn read_product(&mut self, piece: Piece, head_end: usize) {
        let is_product = piece.start == 0 || head_end + 1 < piece.end;
        let is_read = piece.start < self.known_end.max(self.addressed_end);
        let name = trim_name(self.slice(piece.start, head_end));
        if is_product && !is_read && !is_browser_word(name) && !self.products.is_full() {
            self.products.push(AgentName::of(name));
        }
    }

    /// Reads the product after `compatible;`: all up to the next mark, version or address,
    /// several words too. `at` is the end of the word `compatible`.
    fn read_addressed(&mut self, at: usize) {
        let after_word = self.slice(at, self.text.len());
        let blanks = after_word.iter().take_while(|&&octet| is_blank(octet)).count();
        if after_word.get(blanks) != Some(&b';') {
            return;
        }
        let start = at + blanks + 1;
        let section = before(self.slice(start, self.text.len()), |o| is_mark(o) && !is_blank(o));
        let end = self.address_start(start, start + section.len());
        let written = before(self.slice(start, end), |octet| octet == b'/');
        let name = trim_name(without_version(written));
        let first_word = trim_name(before(name, is_blank));
        if !is_browser_word(first_word) {
            self.addressed.push(AgentName::of(name));
            self.addressed_end = start + written.len();
        }
    }

    /// Where the first address in `start..end` begins, `end` where there is none.
    fn address_start(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while let Some(piece) = next_piece(self.text, at)
            && piece.start < end
        {
            if piece.is_address {
                return piece.start;
            }
            at = piece.end;
        }
        end
    }

    fn slice(&self, start: usize, end: usize) -> &'t [u8] {
        self.text.get(start..end).unwrap_or_default()
    }
}

/// A run of octets between marks, or a whole URL or e-mail address.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    is_address: bool,
}

/// The first piece at or after `from`; `None` where only marks are left.
fn next_piece(text: &[u8], from: usize) -> Option<Piece> {
    let start = from + text.get(from..)?.iter().position(|&octet| !is_mark(octet))?;
    let rest = text.get(start..)?;
    let octets = before(rest, is_mark);
    let is_url = is_url(octets);
    let len = if is_url { url_len(rest) } else { octets.len() };
    Some(Piece { start, end: start + len, is_address: is_url || octets.contains(&b'@') })
}

/// What separates pieces.
fn is_mark(octet: u8) -> bool {
    is_blank(octet) || b"()[]{}<>;,\"".contains(&octet)
}

/// Whether a piece is (the start of) a URL.
fn is_url(piece: &[u8]) -> bool {
    let begins = |start: &[u8]| {
        piece.get(..start.len()).is_some_and(|octets| octets.eq_ignore_ascii_case(start))
    };
    begins(b"www.")
        || begins(b"+www.")
        || begins(b"+http")
        || piece.windows(3).any(|octets| octets == b"://")
}

/// Length of the URL that begins `text`: up to a blank, a quote, an angle bracket, a `;`, or a
/// closing parenthesis that it did not open.
fn url_len(text: &[u8]) -> usize {
    let mut open = 0_usize;
    for (at, &octet) in text.iter().enumerate() {
        match octet {
            b'(' => open += 1,
            b')' if open > 0 => open -= 1,
            b')' | b'"' | b'<' | b'>' | b';' => return at,
            _ if is_blank(octet) => return at,
            _ => {}
        }
    }
    text.len()
}

/// Cuts a last word that is a version: `2.1` or `v2`.
fn without_version(name: &[u8]) -> &[u8] {
    let name = trim_blanks(name);
    let last = name.rsplit(|&octet| is_blank(octet)).next().unwrap_or_default();
    let number = last.strip_prefix(b"v").or(last.strip_prefix(b"V")).unwrap_or(last);
    let is_version = number.first().is_some_and(u8::is_ascii_digit) && last.len() < name.len();
    let kept = if is_version { name.len() - last.len() } else { name.len() };
    name.get(..kept).unwrap_or_default()
}

/// Cuts from both ends what no name begins or ends with: blanks, controls and punctuation but
/// `_`. So a `*` in an identification string never asks for the wildcard group.
fn trim_name(name: &[u8]) -> &[u8] {
    trim(name, |octet| octet.is_ascii() && !octet.is_ascii_alphanumeric() && octet != b'_')
}
