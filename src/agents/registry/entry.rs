//! What the registry says of one agent.
//!
//! Enters: a checked entry of a registry file. Leaves: an [`Entry`] to read. Facts only; what follows
//! from them for a body is decided elsewhere.

use serde::Deserialize;

/// What is known of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The product token as site owners write it.
    pub token: String,
    /// Who runs it.
    pub operator: String,
    /// What it fetches for, chiefly.
    pub purpose: Purpose,
    /// What it fetches for besides.
    pub also: Vec<Purpose>,
    /// Whether it is in use.
    pub status: Status,
    /// False for a control token that no crawler sends.
    pub crawls: bool,
    /// Other spellings; names that the same crawler has or had.
    pub aliases: Vec<String>,
    /// Whether it obeys robots.txt, by what its operator says.
    pub honours_robots: Honours,
    /// Names whose groups are looked for, the first that a file has applies: its own token first, `*` last.
    pub lookup_order: Vec<String>,
    /// Whether the `*` group applies where no name of the order has one; `None`: not known.
    pub honours_wildcard: Option<bool>,
    /// How the entry came about.
    pub confidence: Confidence,
    /// Where that stands.
    pub source: String,
    /// The date that the entry is true as of: `2026-11-30`.
    pub as_of: String,
    /// What else should be known.
    pub note: String,
}

impl Entry {
    /// The names looked for between the agent's own and `*`.
    pub fn fallback_names(&self) -> impl Iterator<Item = &str> {
        let order = self.lookup_order.iter().map(String::as_str);
        order.filter(|name| *name != "*" && !name.eq_ignore_ascii_case(&self.token))
    }

    /// Whether groups are looked for otherwise than RFC 9309 says (its own group, else `*`), or that
    /// is not known.
    #[must_use]
    pub fn has_order_of_its_own(&self) -> bool {
        self.honours_wildcard != Some(true) || self.fallback_names().next().is_some()
    }

    /// Token and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.token).chain(&self.aliases).map(String::as_str)
    }
}

/// Makes an enum of words with the meaning of each; files and outputs use the words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$meaning])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// The word in registry files and outputs.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }
        }
    };
}

words!(
    /// What an agent fetches for.
    Purpose {
        /// Gathers what models are trained on.
        Training = "training",
        /// Indexes for the answers of an AI assistant or AI search.
        AiSearch = "ai-search",
        /// Indexes for a search engine.
        Search = "search",
        /// Fetches a page because a user asked about it.
        UserFetch = "user-fetch",
        /// Fetches for an AI product in other ways.
        Assistant = "assistant",
        /// Acts on the web for a user.
        Agent = "agent",
        /// Keeps what it fetches as a record.
        Archive = "archive",
        /// Sells or gives on what it fetches.
        DataProvider = "data-provider",
        /// Checks or places ads.
        Ads = "ads",
        /// Shows previews of links.
        Preview = "preview",
        /// Analyses sites and links for marketing.
        Seo = "seo",
        /// A tool, or several purposes.
        Generic = "generic",
        /// Not known.
        Undocumented = "undocumented",
    }
);

words!(
    /// Whether an agent obeys robots.txt, by what its operator says.
    Honours {
        /// It does.
        Yes = "yes",
        /// It does not.
        No = "no",
        /// Not always.
        MayIgnore = "may-ignore",
        /// Nothing certain is known.
        Unclear = "unclear",
        /// It is no crawler.
        NotApplicable = "not-applicable",
    }
);

words!(
    /// How an entry came about.
    Confidence {
        /// The operator's own text or code was read.
        Primary = "primary",
        /// The operator's text was seen through others.
        Secondary = "secondary",
        /// A public list names it, and nothing else was read.
        ListOnly = "list-only",
        /// From memory, not verified.
        Recalled = "recalled",
    }
);

impl Confidence {
    /// Whether anything of the operator's was read, be it through others.
    #[must_use]
    pub fn is_verified(self) -> bool {
        matches!(self, Confidence::Primary | Confidence::Secondary)
    }
}

words!(
    /// Whether an agent is in use.
    Status {
        /// It is.
        Active = "active",
        /// No longer, but files still name it.
        Legacy = "legacy",
        /// Not yet: it was only proposed.
        Proposed = "proposed",
    }
);
