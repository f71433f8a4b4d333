//! The two dialects as data: every difference between them is a field here, and nothing else in the
//! code asks which dialect it is.

/// Octets of a line that Google's parser keeps: eight times the 2,083 of the longest URL a browser
/// took, less one for the end.
pub const LONG_LINE: usize = 16_663;

/// How a robots body is read and its rules compared.
///
/// | flag | `rfc9309` | `google` | decides |
/// | --- | --- | --- | --- |
/// | `line_limit` | none | 16,663 octets | how much of a line counts |
/// | `whole_names` | yes | no | whether a user-agent line names agents with other octets than `[A-Za-z_-]` by its whole value |
/// | `cut_version` | yes | no | whether `ExampleBot/1.0` asks for `ExampleBot` |
/// | `normalisation` | both sides | the rule's side | what is made equal before comparing |
/// | `index_html` | no | yes | whether `Allow: …/index.htm*` also allows `…/` |
/// | `robots_txt_allowed` | yes | no | whether `/robots.txt` itself is always allowed |
/// | `path_start` | RFC 3986 | first of `/ ? ;` | where a URL's path begins, and whether a NUL ends it |
/// | `absolute_urls_only` | yes | no | whether the library refuses what is not an absolute http(s) URL (rows always do) |
///
/// Everything else the dialects share: line ends and their numbering, the byte order mark, NUL,
/// blanks, a missing colon, keys by prefix with the accepted typos, what closes a stack of
/// user-agent lines, merging of groups, specificity, ties, `*` and `$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The word for it on the command line and in the metadata of outputs.
    pub name: &'static str,
    /// Octets of a line that count; the rest is dropped before anything is read of it.
    pub line_limit: Option<usize>,
    /// Names with octets outside `[A-Za-z_-]` are compared with the whole user-agent value up to
    /// `/` or `(`. Without it no body can name them.
    pub whole_names: bool,
    /// A version given with an asked token is cut.
    pub cut_version: bool,
    /// What becomes equal before comparison.
    pub normalisation: Normalisation,
    /// An allow rule for `…/index.htm*` that does not match also allows `…/` exactly.
    pub index_html: bool,
    /// The path `/robots.txt` is allowed whatever the rules say (RFC 9309 section 2.2.2).
    pub robots_txt_allowed: bool,
    /// Where the path of a URL starts.
    pub path_start: PathStart,
    /// The library call refuses what is not an absolute http(s) URL with a host.
    pub absolute_urls_only: bool,
}

/// Which sides of a comparison are normalised, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalisation {
    /// Rule and URL: octets outside ASCII to `%XX`, upper-case hex digits, unreserved octets
    /// decoded, a literal `*` or `$` as `%2A` or `%24`.
    BothSides,
    /// The rule alone: octets outside ASCII to `%XX`, upper-case hex digits, nothing decoded.
    RuleOnly,
}

/// Where the path of a URL starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStart {
    /// After the authority, which ends at the first of `/ ? #` (RFC 3986 section 3.2).
    AfterAuthority,
    /// At the first of `/ ? ;` after `://`; a NUL ends the path.
    FirstSlashQuestionOrSemicolon,
}

impl Dialect {
    /// RFC 9309 with the leniencies it permits. The default.
    pub const RFC9309: Dialect = Dialect {
        name: "rfc9309",
        line_limit: None,
        whole_names: true,
        cut_version: true,
        normalisation: Normalisation::BothSides,
        index_html: false,
        robots_txt_allowed: true,
        path_start: PathStart::AfterAuthority,
        absolute_urls_only: true,
    };

    /// google/robotstxt, bit for bit.
    pub const GOOGLE: Dialect = Dialect {
        name: "google",
        line_limit: Some(LONG_LINE),
        whole_names: false,
        cut_version: false,
        normalisation: Normalisation::RuleOnly,
        index_html: true,
        robots_txt_allowed: false,
        path_start: PathStart::FirstSlashQuestionOrSemicolon,
        absolute_urls_only: false,
    };

    /// All dialects there are.
    pub const ALL: [Dialect; 2] = [Dialect::RFC9309, Dialect::GOOGLE];

    /// The one with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name == name)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect::RFC9309
    }
}
