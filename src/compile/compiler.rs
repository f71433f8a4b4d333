//! A body → [`Program`]: parsed, its names collected, its groups written.

use super::build::{Build, Facts};
use super::names::Names;
use super::{BodyFlags, FormChoice, Program, Wanted};
use crate::parse::{Dialect, Robots, parse_groups_in};
use crate::text::{lines::byte_order_mark_len, sniff};

/// How many octets of a body are read (RFC 9309 section 2.5); the rest is ignored and flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLimit(usize);

impl BodyLimit {
    /// 500 KiB: what every crawler must read, and what Google reads.
    pub const DEFAULT: BodyLimit = BodyLimit(512_000);

    /// No limit but the 128 MiB that keep every offset of a program within 32 bits: at worst it has less
    /// than 32 times the octets of its body.
    pub const NONE: BodyLimit = BodyLimit(128 << 20);

    /// A limit of `octets`, 0 for [`BodyLimit::NONE`].
    #[must_use]
    pub fn new(octets: usize) -> Self {
        if octets == 0 { BodyLimit::NONE } else { BodyLimit(octets.min(BodyLimit::NONE.0)) }
    }

    /// The limit in octets.
    #[must_use]
    pub fn octets(self) -> usize {
        self.0
    }

    /// The part of `body` that is read.
    #[must_use]
    pub fn cut(self, body: &[u8]) -> &[u8] {
        &body[..body.len().min(self.0)]
    }
}

/// Compiles a body.
///
/// # Complexity
/// As [`Compiler::compile`].
#[must_use]
pub fn compile(body: &[u8], dialect: &Dialect, limit: BodyLimit) -> Program {
    Compiler::new(*dialect, limit).compile(body)
}

/// As [`compile`], with the forms of groups as one wants them: for tests and benches.
#[must_use]
pub fn compile_in_form(
    body: &[u8],
    dialect: &Dialect,
    limit: BodyLimit,
    choice: FormChoice,
) -> Program {
    let mut compiler = Compiler::new(*dialect, limit);
    compiler.build.choice = choice;
    compiler.compile(body)
}

/// Compiles one body after the other in the same memory, which a small body would spend much of its
/// time on: lists of up to 1 MiB each are kept.
///
/// # Examples
/// ```
/// use robosift::compile::{BodyLimit, Compiler, NameKind, Wanted};
/// use robosift::parse::Dialect;
/// let wanted = Wanted::only([(NameKind::Token, b"ExampleBot")]);
/// let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT).with_wanted(wanted);
/// let program = compiler.compile(b"User-agent: OtherBot\nDisallow: /\n\nUser-agent: *\nAllow: /\n");
/// assert!(program.wildcard().is_some());
/// assert!(program.find(NameKind::Token, b"examplebot").is_none());
/// ```
#[derive(Debug)]
pub struct Compiler {
    dialect: Dialect,
    limit: BodyLimit,
    wanted: Wanted,
    robots: Robots<'static>,
    names: Names<'static>,
    build: Build,
}

impl Compiler {
    /// For bodies read as `dialect` says, up to `limit`.
    #[must_use]
    pub fn new(dialect: Dialect, limit: BodyLimit) -> Self {
        Compiler {
            dialect,
            limit,
            wanted: Wanted::All,
            robots: Robots::default(),
            names: Names::default(),
            build: Build::default(),
        }
    }

    /// Its programs answer for no names but these.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// Compiles a body.
    ///
    /// # Complexity
    /// Linear in the body, plus sorting each group's rules by rank and all names by hash; at most
    /// some three times as many rules are written as the body has, whatever groups its names share.
    #[must_use]
    pub fn compile(&mut self, body: &[u8]) -> Program {
        let read = self.limit.cut(body);
        let robots = parse_groups_in(std::mem::take(&mut self.robots), read, &self.dialect);
        let (names, facts) = self.begin(body, read, &robots);
        // Before the program is written: the two are a body's largest lists.
        self.robots = robots.emptied();
        self.finish(names, facts)
    }

    /// As [`Compiler::compile`], of a body that was parsed: up to the limit, and under a dialect that reads the same of it.
    pub(crate) fn compile_parsed(&mut self, body: &[u8], robots: &Robots<'_>) -> Program {
        let (names, facts) = self.begin(body, self.limit.cut(body), robots);
        self.finish(names, facts)
    }

    fn begin<'b>(&mut self, body: &[u8], read: &[u8], robots: &Robots<'b>) -> (Names<'b>, Facts) {
        let mut names = std::mem::take(&mut self.names).emptied();
        names.collect(robots, &self.dialect, &self.wanted);
        self.build.begin(robots, &names, &self.dialect, &self.wanted);
        (names, Facts { num_rules: robots.rules.len(), flags: flags(body, read, robots) })
    }

    fn finish(&mut self, names: Names<'_>, facts: Facts) -> Program {
        let program = self.build.write(&names, facts);
        self.names = names.emptied();
        program
    }
}

fn flags(body: &[u8], read: &[u8], robots: &Robots<'_>) -> BodyFlags {
    let may_be_no_text = !robots.is_plain_text;
    BodyFlags::default()
        .with(BodyFlags::OVER_LIMIT, read.len() < body.len())
        .with(BodyFlags::WEB_PAGE, sniff::is_web_page(read))
        .with(BodyFlags::BINARY, may_be_no_text && sniff::is_binary(read))
        .with(BodyFlags::LONG_LINE, robots.long_lines > 0)
        .with(BodyFlags::NOT_UTF8, may_be_no_text && !is_utf8_so_far(read))
        .with(BodyFlags::BYTE_ORDER_MARK, byte_order_mark_len(read) > 0)
        .with(BodyFlags::BLANK, read[byte_order_mark_len(read)..].trim_ascii().is_empty())
}

/// A body cut in the middle of a character is still UTF-8.
fn is_utf8_so_far(body: &[u8]) -> bool {
    std::str::from_utf8(body).map_or_else(|error| error.error_len().is_none(), |_| true)
}
