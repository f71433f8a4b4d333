//! What a status means: access policies as a table, applied when judging.
//!
//! RFC 9309 section 2.3.1 and what crawlers made of it. Sources contradict each other about 401 and
//! 403 above all; the user chooses, the choice is recorded.

use super::Status;

/// What becomes of an origin whose robots.txt was answered with some status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing is known.
    NoCapture,
    /// What was captured is to count as unknown: `--status 403=unknown`.
    Unknown,
    /// May be crawled as if there were no rules (RFC 9309 section 2.3.1.3).
    Unavailable,
    /// Must be taken as disallowed altogether (RFC 9309 section 2.3.1.4).
    Unreachable,
    /// Disallowed because the answer closed the door: policies that read 401 or 403 so, or a 4xx
    /// set to disallow.
    Forbidden,
}

/// Statuses that policies treat alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusClass {
    /// Exactly this status.
    Exact(i16),
    /// All statuses of one hundred: 4 for 400 to 499.
    Hundred(i16),
    /// No answer: 0, 1xx, 600 and up, negative numbers.
    NoAnswer,
}

impl StatusClass {
    fn holds(self, status: Status) -> bool {
        match self {
            StatusClass::Exact(exact) => status.0 == exact,
            StatusClass::Hundred(hundred) => status.0.div_euclid(100) == hundred,
            StatusClass::NoAnswer => !(200..600).contains(&status.0),
        }
    }

    /// Reads `403`, `4xx` or `none`.
    fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("none") {
            return Some(StatusClass::NoAnswer);
        }
        if let Some(hundred) = text.strip_suffix("xx") {
            let hundred = hundred.parse().ok().filter(|h| matches!(h, 4 | 5))?;
            return Some(StatusClass::Hundred(hundred));
        }
        let exact = text.parse().ok().filter(|s| *s == 0 || (400..1000).contains(s))?;
        Some(if exact == 0 { StatusClass::NoAnswer } else { StatusClass::Exact(exact) })
    }
}

/// One row of a policy's table that a user sets otherwise: `--status 403=disallow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Override {
    /// Which statuses.
    pub class: StatusClass,
    /// What becomes of them.
    pub outcome: Outcome,
}

impl Override {
    /// Reads `403=disallow`: a status of 400 and up, `4xx`, `5xx` or `none` (no answer), then
    /// `allow`, `disallow` or `unknown`.
    ///
    /// # Errors
    /// A sentence on what is accepted.
    pub fn parse(text: &str) -> Result<Self, String> {
        let accepted = || {
            format!(
                "`{text}` is not STATUS=VERDICT: STATUS is a number from 400 on, 4xx, 5xx or none; \
                 VERDICT is allow, disallow or unknown"
            )
        };
        let (status, verdict) = text.split_once('=').ok_or_else(accepted)?;
        let class = StatusClass::parse(status.trim()).ok_or_else(accepted)?;
        let is_client_error =
            matches!(class, StatusClass::Hundred(4) | StatusClass::Exact(400..500));
        let outcome = match verdict.trim() {
            "allow" => Outcome::Unavailable,
            "disallow" if is_client_error => Outcome::Forbidden,
            "disallow" => Outcome::Unreachable,
            "unknown" => Outcome::Unknown,
            _ => return Err(accepted()),
        };
        Ok(Override { class, outcome })
    }
}

/// How statuses are judged.
///
/// | status | `rfc9309` | `google` | `closed` | `commoncrawl` |
/// | --- | --- | --- | --- | --- |
/// | 401 | unavailable | unavailable | forbidden | unavailable |
/// | 403 | unavailable | unavailable | forbidden | forbidden |
/// | 429 | unavailable | unreachable | unreachable | unreachable |
/// | other 4xx | unavailable | unavailable | unavailable | unavailable |
/// | 5xx | unreachable | unreachable | unreachable | unreachable |
/// | no answer | unreachable | unreachable | unreachable | unavailable |
/// | stale copy | off | 30 days | off | off |
///
/// 2xx, redirects and 304 are the same in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The word for it on the command line and in the metadata of outputs.
    pub name: &'static str,
    unauthorized: Outcome,
    forbidden: Outcome,
    too_many_requests: Outcome,
    no_answer: Outcome,
    /// How much older than an unreachable visit a successful capture may be to stand in for it, in
    /// microseconds; `None` where none does.
    pub stale: Option<i64>,
    overrides: Vec<Override>,
}

const DAY: i64 = 86_400_000_000;

impl Policy {
    /// RFC 9309 section 2.3.1. The default.
    pub const RFC9309: Policy = Policy {
        name: "rfc9309",
        unauthorized: Outcome::Unavailable,
        forbidden: Outcome::Unavailable,
        too_many_requests: Outcome::Unavailable,
        no_answer: Outcome::Unreachable,
        stale: None,
        overrides: Vec::new(),
    };

    /// What Google documents: 429 is as a server error, an unreachable file is replaced by its last
    /// good copy for 30 days.
    pub const GOOGLE: Policy = Policy {
        name: "google",
        unauthorized: Outcome::Unavailable,
        forbidden: Outcome::Unavailable,
        too_many_requests: Outcome::Unreachable,
        no_answer: Outcome::Unreachable,
        stale: Some(30 * DAY),
        overrides: Vec::new(),
    };

    /// 401 and 403 close the site.
    pub const CLOSED: Policy = Policy {
        name: "closed",
        unauthorized: Outcome::Forbidden,
        forbidden: Outcome::Forbidden,
        too_many_requests: Outcome::Unreachable,
        no_answer: Outcome::Unreachable,
        stale: None,
        overrides: Vec::new(),
    };

    /// What Common Crawl's crawler does.
    pub const COMMONCRAWL: Policy = Policy {
        name: "commoncrawl",
        unauthorized: Outcome::Unavailable,
        forbidden: Outcome::Forbidden,
        too_many_requests: Outcome::Unreachable,
        no_answer: Outcome::Unavailable,
        stale: None,
        overrides: Vec::new(),
    };

    /// With one row set otherwise; the later of two that hold for a status counts.
    #[must_use]
    pub fn with_override(mut self, row: Override) -> Self {
        self.overrides.push(row);
        self
    }

    /// With the rows of `other` that were set otherwise, and no other ones.
    #[must_use]
    pub fn overridden_as(self, other: &Policy) -> Self {
        Policy { overrides: other.overrides.clone(), ..self }
    }

    /// What a status that is neither 2xx nor 3xx means.
    #[must_use]
    pub fn outcome(&self, status: Status) -> Outcome {
        if let Some(row) = self.overrides.iter().rev().find(|row| row.class.holds(status)) {
            return row.outcome;
        }
        match status.0 {
            401 => self.unauthorized,
            403 => self.forbidden,
            429 => self.too_many_requests,
            400..500 => Outcome::Unavailable,
            500..600 => Outcome::Unreachable,
            _ => self.no_answer,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Policy::RFC9309
    }
}
