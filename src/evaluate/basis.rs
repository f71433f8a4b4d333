//! Why a verdict is what it is.

/// What decided, in the order of precedence: the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// Null, not UTF-8, or not an absolute http(s) URL with a host.
    BadUrl,
    /// The agent is null or empty.
    BadAgent,
    /// The path is `/robots.txt`, which is always allowed (RFC 9309 section 2.2.2).
    RobotsTxt,
    /// The corpus holds no capture of the origin's robots.txt, or not its body.
    NoCapture,
    /// A redirect leads to what the corpus does not hold.
    RedirectUnresolved,
    /// The robots.txt could not be reached (RFC 9309 section 2.3.1.4).
    Unreachable,
    /// Access to the robots.txt was refused, and the policy reads that as a refusal of everything.
    Forbidden,
    /// There is no robots.txt (RFC 9309 section 2.3.1.3), or too many redirects lead to it.
    Unavailable,
    /// What was served is a web page or binary without one rule in a group.
    NotRobots,
    /// No group has an allow or disallow line.
    NoRules,
    /// There are rules, but neither a group for the agent nor one for `*`.
    NoGroup,
    /// No rule of the agent's group matches.
    NoRule,
    /// A rule decides.
    Rule,
}

impl Basis {
    /// How many there are.
    pub const COUNT: usize = Basis::ALL.len();

    /// All of them, in order of precedence.
    pub const ALL: [Basis; 13] = [
        Basis::BadUrl,
        Basis::BadAgent,
        Basis::RobotsTxt,
        Basis::NoCapture,
        Basis::RedirectUnresolved,
        Basis::Unreachable,
        Basis::Forbidden,
        Basis::Unavailable,
        Basis::NotRobots,
        Basis::NoRules,
        Basis::NoGroup,
        Basis::NoRule,
        Basis::Rule,
    ];

    /// The word in the `robots_basis` column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Basis::BadUrl => "bad_url",
            Basis::BadAgent => "bad_agent",
            Basis::RobotsTxt => "robots_txt",
            Basis::NoCapture => "no_capture",
            Basis::RedirectUnresolved => "redirect_unresolved",
            Basis::Unreachable => "unreachable",
            Basis::Forbidden => "forbidden",
            Basis::Unavailable => "unavailable",
            Basis::NotRobots => "not_robots",
            Basis::NoRules => "no_rules",
            Basis::NoGroup => "no_group",
            Basis::NoRule => "no_rule",
            Basis::Rule => "rule",
        }
    }

    /// Whether it follows from what was captured, or from nothing having been.
    #[must_use]
    pub fn rests_on_capture(self) -> bool {
        !matches!(self, Basis::BadUrl | Basis::BadAgent | Basis::RobotsTxt)
    }

    /// Its place in [`Basis::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Its place in [`Basis::ALL`], in an octet.
    pub(super) fn code(self) -> u8 {
        self as u8
    }
}
