//! The clauses in which the dialects differ, and which of them make an answer another one.
//!
//! Enters: two dialects and a function from a dialect to an answer. Leaves: clauses of a table that has one entry for
//! each flag of [`Dialect`]. Cost: the function is asked at most twice for each clause, and three times more. Must not know: what is asked.

use crate::parse::Dialect;

/// One way in which the dialects differ.
#[derive(Debug)]
pub struct Clause {
    /// The flag of [`Dialect`]: a word for tables.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What dialect `rfc9309` does.
    pub rfc9309: &'static str,
    /// What dialect `google` does.
    pub google: &'static str,
    /// Takes this one flag over from another dialect.
    take: fn(&mut Dialect, &Dialect),
}

impl Clause {
    /// Takes what this clause is about over from another dialect.
    pub(super) fn take(&self, to: &mut Dialect, from: &Dialect) {
        (self.take)(to, from);
    }

    /// What `dialect` does.
    #[must_use]
    pub fn says(&self, dialect: &Dialect) -> &'static str {
        if dialect.name == Dialect::GOOGLE.name { self.google } else { self.rfc9309 }
    }
}

/// All of them.
pub const CLAUSES: [Clause; 8] = [
    Clause {
        name: "normalisation",
        title: "what is made equal before comparing",
        rfc9309: "rule and URL are both normalised: octets outside ASCII as %XX, encoded unreserved octets decoded, a literal * or $ as %2A or %24 (RFC 9309 section 2.2.2)",
        google: "only the rule is escaped, nothing is decoded, and the URL is compared as it stands",
        take: |to, from| to.normalisation = from.normalisation,
    },
    Clause {
        name: "whole_names",
        title: "names with octets outside [A-Za-z_-]",
        rfc9309: "such a name is compared with the whole user-agent value up to / or (",
        google: "no user-agent line can name it: values are cut at the first such octet",
        take: |to, from| to.whole_names = from.whole_names,
    },
    Clause {
        name: "cut_version",
        title: "a version given with the agent",
        rfc9309: "ExampleBot/1.0 asks for ExampleBot",
        google: "the agent is compared as given, its version with it",
        take: |to, from| to.cut_version = from.cut_version,
    },
    Clause {
        name: "robots_txt_allowed",
        title: "the path /robots.txt itself",
        rfc9309: "it is always allowed (RFC 9309 section 2.2.2)",
        google: "it is judged by the rules like any other",
        take: |to, from| to.robots_txt_allowed = from.robots_txt_allowed,
    },
    Clause {
        name: "index_html",
        title: "allow rules that end in index.htm",
        rfc9309: "they have no special meaning",
        google: "an allow rule for …/index.htm* also allows the folder …/ itself",
        take: |to, from| to.index_html = from.index_html,
    },
    Clause {
        name: "path_start",
        title: "where the path of a URL starts",
        rfc9309: "after the authority (RFC 3986 section 3.2)",
        google: "at the first of / ? ; behind ://, and a NUL ends it",
        take: |to, from| to.path_start = from.path_start,
    },
    Clause {
        name: "line_limit",
        title: "how much of a line counts",
        rfc9309: "all of it",
        google: "its first 16,663 octets",
        take: |to, from| to.line_limit = from.line_limit,
    },
    Clause {
        name: "absolute_urls_only",
        title: "URLs that are not absolute",
        rfc9309: "the library call refuses them",
        google: "the library call answers them as the original does; rows never",
        take: |to, from| to.absolute_urls_only = from.absolute_urls_only,
    },
];

/// The clauses that make the answer of `from` that of `to`: those of which each does so alone, or else a smallest set
/// that does so together. None where both answer alike.
///
/// # Examples
/// ```
/// use robosift::explain::decisive;
/// use robosift::parse::Dialect;
/// let always_allowed = |dialect: &Dialect| dialect.robots_txt_allowed;
/// let clauses = decisive(&Dialect::RFC9309, &Dialect::GOOGLE, always_allowed);
/// assert_eq!(clauses.iter().map(|clause| clause.name).collect::<Vec<_>>(), ["robots_txt_allowed"]);
/// ```
pub fn decisive<A: PartialEq>(
    from: &Dialect,
    to: &Dialect,
    mut answer: impl FnMut(&Dialect) -> A,
) -> Vec<&'static Clause> {
    let (own, wanted) = (answer(from), answer(to));
    if own == wanted {
        return Vec::new();
    }
    fewest(CLAUSES.each_ref(), |clauses| {
        let mut mixed = *from;
        clauses.iter().for_each(|clause| clause.take(&mut mixed, to));
        answer(&mixed) == wanted
    })
}

/// Those of `items` of which each makes it alone, or else a smallest set that makes it together; none where not even all
/// of them do.
pub(super) fn fewest<'i, I: ?Sized>(
    items: impl IntoIterator<Item = &'i I>,
    mut makes_it: impl FnMut(&[&'i I]) -> bool,
) -> Vec<&'i I> {
    let mut needed: Vec<&I> = items.into_iter().collect();
    let alone: Vec<&I> = needed.iter().copied().filter(|item| makes_it(&[*item])).collect();
    if !alone.is_empty() || !makes_it(&needed) {
        return alone;
    }
    // All together make it; what can be left out is left out.
    let mut at = 0;
    while at < needed.len() {
        let left_out = needed.remove(at);
        if !makes_it(&needed) {
            needed.insert(at, left_out);
            at += 1;
        }
    }
    needed
}
