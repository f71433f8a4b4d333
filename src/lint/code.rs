//! The kinds of findings: the one table of codes, names, severities and summaries.
//!
//! A code once published keeps its meaning. `docs/LINT.md` has an example of each.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; may well be meant.
    Info,
    /// Likely not what was meant, or not so for every crawler.
    Warning,
    /// Something written has no effect, or another than it says.
    Error,
}

impl Severity {
    /// The word for it in outputs and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($kind:ident $id:literal $name:literal $severity:ident $summary:literal;)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $summary] $kind,)*
        }

        impl Code {
            /// All codes, in the order of their numbers.
            pub const ALL: &'static [Code] = &[$(Code::$kind),*];

            /// The stable code: `RS301`.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Code::$kind => $id),* }
            }

            /// The stable short name: `unrooted-pattern`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$kind => $name),* }
            }

            /// How much it matters.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Code::$kind => Severity::$severity),* }
            }

            /// What is found, in one sentence.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Code::$kind => $summary),* }
            }
        }
    };
}

codes! {
    NotRobots "RS001" "not-robots" Error "A web page or something that is no text stands in the place of a robots.txt.";
    Utf16 "RS002" "utf-16" Error "The file is UTF-16, in which crawlers find no rules.";
    ByteOrderMark "RS003" "byte-order-mark" Info "A byte order mark stands before the first line.";
    Nul "RS004" "nul-octet" Warning "A NUL ends what a line says.";
    NotUtf8 "RS005" "not-utf-8" Warning "A line is not UTF-8.";
    LoneCr "RS006" "cr-line-ends" Info "Lines end in CR alone.";
    OverLimit "RS007" "over-limit" Error "The file is longer than what crawlers read.";
    LongLine "RS008" "long-line" Warning "A line is longer than what Google's parser reads of it.";
    NoRules "RS009" "no-rules" Info "No group has an allow or disallow line: everything is allowed.";
    UnknownKey "RS101" "unknown-key" Warning "No crawler is known to read lines with this key.";
    MisspeltKey "RS102" "misspelt-key" Error "A key is misspelt, and nobody accepts the spelling.";
    AcceptedTypo "RS103" "accepted-typo" Warning "A key is misspelt, and some crawlers accept it all the same.";
    MissingColon "RS104" "missing-colon" Warning "No colon stands between key and value.";
    NotUnderstood "RS105" "not-understood" Warning "A line is neither a record nor a comment.";
    KeyTail "RS106" "key-tail" Warning "A key goes on behind what it is known by.";
    TwoRecords "RS107" "two-records" Error "Two records stand on one line.";
    StrayRule "RS201" "stray-rule" Error "A rule stands before the first user-agent line and applies to nobody.";
    EmptyGroup "RS202" "empty-group" Warning "A group without rules allows everything to whom it names.";
    JoinedGroup "RS203" "joined-group" Warning "A group that seems to end without a rule is one with the next.";
    RepeatedAgent "RS204" "repeated-agent" Info "An agent is named in several groups, which count together.";
    ClosedToAll "RS205" "closed-to-all" Warning "Everything is disallowed to everyone who is not named.";
    EmptyAgent "RS211" "empty-agent" Error "A user-agent line names nobody.";
    AgentList "RS212" "agent-list" Error "A user-agent line names several agents; only the first counts, if any.";
    AgentWildcard "RS213" "agent-wildcard" Warning "A `*` inside a name is no wildcard.";
    AgentVersion "RS214" "agent-version" Info "What follows the name of an agent does not count.";
    UnnameableAgent "RS215" "cut-name" Info "A name has octets at which some parsers, Google's among them, cut it.";
    MisspeltAgent "RS216" "misspelt-agent" Warning "A name differs from that of a known crawler in one letter.";
    UnknownAgent "RS217" "unknown-agent" Info "A name is not among those of known crawlers.";
    UnrootedPattern "RS301" "unrooted-pattern" Error "A pattern starts with neither `/` nor `*`, and matches nothing.";
    AbsoluteUrl "RS302" "absolute-url" Error "A pattern is a whole URL, and matches nothing.";
    BlankInPattern "RS303" "blank-in-pattern" Warning "A blank stands in a pattern; URLs have none.";
    InnerDollar "RS304" "inner-dollar" Warning "A `$` that does not end a pattern is a plain dollar sign.";
    NeedlessStar "RS305" "needless-star" Info "A `*` at the end of a pattern says no more than the end itself.";
    EmptyRule "RS306" "empty-rule" Warning "A rule without a pattern, beside others, says nothing.";
    HashInPattern "RS307" "hash-in-pattern" Warning "A `#` in the midst of a pattern begins a comment.";
    SensitivePath "RS308" "sensitive-path" Info "A rule tells every reader of a place that is better not told of.";
    RegularExpression "RS309" "regular-expression" Warning "A pattern looks like a regular expression, which it is not.";
    DuplicateRule "RS401" "duplicate-rule" Info "A rule says what another one has said.";
    ContradictingRule "RS402" "contradicting-rule" Warning "An allow and a disallow rule match the same; one of them never decides.";
    ShadowedRule "RS403" "shadowed-rule" Warning "A rule never decides: another one matches whatever it matches, and outranks it.";
    RedundantRule "RS404" "redundant-rule" Info "Without this rule, every verdict would be the same, as long as its group keeps another.";
    NotCompared "RS405" "not-compared" Info "There are too many rules to compare all of them with each other.";
    IgnoredRecord "RS501" "ignored-record" Info "Crawlers that the group is for are known to ignore this line.";
    BadDelay "RS502" "bad-delay" Warning "A crawl delay is not a number of seconds.";
    IndexRule "RS503" "index-rule" Warning "Whether pages are indexed is not said in robots.txt.";
    RelativeSitemap "RS504" "relative-sitemap" Warning "A sitemap is not given as an absolute URL.";
    ObsoleteRecord "RS505" "obsolete-record" Info "Hardly any crawler reads this line today.";
    StrayRecord "RS506" "stray-record" Warning "A line that belongs to a group stands outside of all groups.";
    UnknownSignal "RS511" "unknown-signal" Warning "A signal has a name that its vocabulary does not have.";
    UnknownSignalValue "RS512" "unknown-signal-value" Warning "A signal has a value that its vocabulary does not have.";
}

impl Code {
    /// The one with this code or name, in any case.
    #[must_use]
    pub fn named(text: &str) -> Option<Code> {
        let is_it = |code: &Code| {
            code.id().eq_ignore_ascii_case(text) || code.name().eq_ignore_ascii_case(text)
        };
        Code::ALL.iter().copied().find(is_it)
    }

    /// Its place in [`Code::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A set of codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSet(Vec<bool>);

impl CodeSet {
    /// All codes.
    #[must_use]
    pub fn all() -> Self {
        CodeSet(vec![true; Code::ALL.len()])
    }

    /// These codes.
    #[must_use]
    pub fn of(codes: &[Code]) -> Self {
        CodeSet(Code::ALL.iter().map(|code| codes.contains(code)).collect())
    }

    /// Without these codes.
    #[must_use]
    pub fn without(mut self, codes: &[Code]) -> Self {
        for (has, code) in self.0.iter_mut().zip(Code::ALL) {
            *has &= !codes.contains(code);
        }
        self
    }

    /// Whether it has `code`.
    #[must_use]
    pub fn has(&self, code: Code) -> bool {
        self.0.get(code.index()).copied().unwrap_or(false)
    }
}
