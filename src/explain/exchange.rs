//! A saved HTTP exchange, as `curl -isL` prints it: heads one after the other, then the last one's body.
//!
//! ```text
//! HTTP/1.1 301 Moved …  Location: …  ─▶ HTTP/2 200 …  ─▶ body
//! ```
//!
//! Enters: the octets of such a file and the origin whose robots.txt was asked for. Leaves: responses with their URLs; from
//! these, captures for a corpus, so that redirects and policies are applied by the one place that knows them. Interim
//! answers (1xx) and a proxy's `Connection established` are passed over. Cost: linear. Must not know: rules.

use std::fmt;

use memchr::memmem;
use url::Url;

use super::story::Hop;
use crate::corpus::{Place, RawCapture, Status};
use crate::text::timestamp;

/// Responses that are read: no client follows so many redirects.
const MOST_RESPONSES: usize = 100;

/// One response of an exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// What was asked for.
    pub url: String,
    /// Its status.
    pub status: Status,
    /// Where it redirects to, as written.
    pub location: Option<String>,
    /// The declared media type.
    pub content_type: Option<String>,
    /// When it was made by its `Date` field, in microseconds since 1970 UTC.
    pub date: Option<i64>,
}

/// A saved exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Its responses, in order; at least one.
    pub responses: Vec<Response>,
    /// The body of the last one.
    pub body: Vec<u8>,
}

/// A file that is no saved exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeError(String);

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExchangeError {}

/// The head of one response.
struct Head {
    status: Status,
    reason: String,
    fields: Vec<(String, String)>,
}

impl Head {
    fn field(&self, name: &str) -> Option<String> {
        let found = self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    }

    /// Says nothing about the resource: an interim answer, or a proxy's that its tunnel stands.
    fn is_interim(&self) -> bool {
        (100..200).contains(&self.status.0) && self.status.0 != 101
            || self.status.is_successful()
                && self.reason.eq_ignore_ascii_case("connection established")
    }

    /// Another response may follow: what curl goes on after.
    fn may_be_followed(&self) -> bool {
        self.status.is_redirect() || matches!(self.status.0, 401 | 407)
    }
}

impl Exchange {
    /// Reads the exchange in which `origin`'s `/robots.txt` was asked for.
    ///
    /// # Errors
    /// A file that does not begin with a status line, or has none but interim answers.
    pub fn parse(octets: &[u8], origin: &str) -> Result<Self, ExchangeError> {
        let mut url = format!("{origin}/robots.txt");
        let mut responses: Vec<Response> = Vec::new();
        let mut rest = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
        for number in 1..=MOST_RESPONSES {
            let Some((head, behind)) = head(rest) else { return Err(no_head(number)) };
            rest = behind;
            let goes_on = begins_head(rest);
            if head.is_interim() && (goes_on || head.status.0 < 200) {
                continue;
            }
            let location = head.field("location").filter(|_| head.status.is_redirect());
            let next = location.as_deref().and_then(|to| Some(Url::parse(&url).ok()?.join(to)));
            let repeats = matches!(head.status.0, 401 | 407);
            responses.push(Response {
                url: url.clone(),
                status: head.status,
                content_type: head.field("content-type"),
                date: head.field("date").and_then(|date| timestamp::parse_http(&date)),
                location,
            });
            if !(goes_on && head.may_be_followed()) {
                return Ok(Exchange { responses, body: rest.to_vec() });
            }
            if repeats {
                // The same was asked again, with credentials: the first answer is not the last word.
                responses.pop();
            } else if let Some(Ok(next)) = next {
                url = next.into();
            }
        }
        Err(ExchangeError(format!("more than {MOST_RESPONSES} responses")))
    }

    /// When it took place: the latest `Date` of its responses. One of them may come from a cache, and be older than the exchange.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        self.responses.iter().filter_map(|response| response.date).max()
    }

    /// The captures that it stands for, in order, all of its [time](Exchange::time).
    #[must_use]
    pub fn captures(&self) -> Vec<RawCapture> {
        let last = self.responses.len().saturating_sub(1);
        let capture = |(at, response): (usize, &Response)| RawCapture {
            place: Place::Url(response.url.clone().into_bytes()),
            body: (at == last).then(|| self.body.clone()),
            status: Some(response.status),
            redirect: response.location.clone(),
            content_type: response.content_type.clone(),
            time: self.time(),
            ..RawCapture::default()
        };
        self.responses.iter().enumerate().map(capture).collect()
    }

    /// Its redirects; the last one leads where it says if nothing came after it.
    #[must_use]
    pub fn hops(&self) -> Vec<Hop> {
        let next = self.responses.iter().skip(1).map(Some).chain([None]);
        let hop = |(response, next): (&Response, Option<&Response>)| {
            let written = response.location.clone()?;
            let to = next.map_or(written, |next| next.url.clone());
            Some(Hop { url: response.url.clone(), status: Some(response.status.0), to })
        };
        self.responses.iter().zip(next).filter_map(hop).collect()
    }
}

fn no_head(number: usize) -> ExchangeError {
    let what = match number {
        1 => "it does not begin with a status line such as `HTTP/1.1 200 OK`",
        _ => "an interim answer is not followed by a response",
    };
    ExchangeError(format!(
        "is no saved HTTP exchange: {what}; save one with curl -isL, or give a bare body with --robots"
    ))
}

/// Whether a status line stands here.
fn begins_head(octets: &[u8]) -> bool {
    let version = octets.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP/"));
    version && octets.get(5).is_some_and(u8::is_ascii_digit)
}

/// The head that stands here, and what is behind it.
fn head(octets: &[u8]) -> Option<(Head, &[u8])> {
    let octets = octets.trim_ascii_start();
    if !begins_head(octets) {
        return None;
    }
    let (lines, rest) = match end(octets) {
        Some((end, len)) => (octets.get(..end)?, octets.get(end + len..)?),
        None => (octets, &octets[octets.len()..]),
    };
    let text = String::from_utf8_lossy(lines);
    let mut lines = text.lines();
    let mut words = lines.next()?.splitn(3, ' ');
    let _version = words.next()?;
    let status: i64 = words.next()?.trim().parse().ok()?;
    let reason = words.next().unwrap_or_default().trim().to_owned();
    let fields = lines.filter_map(|line| line.split_once(':'));
    let fields = fields.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    Some((Head { status: Status::new(status), reason, fields: fields.collect() }, rest))
}

/// Where the head ends, and how long the empty line is with the line end before it.
fn end(octets: &[u8]) -> Option<(usize, usize)> {
    let ends: [&[u8]; 3] = [b"\r\n\r\n", b"\n\n", b"\n\r\n"];
    let found = ends.iter().filter_map(|end| Some((memmem::find(octets, end)?, end.len())));
    found.min_by_key(|(at, _)| *at)
}
