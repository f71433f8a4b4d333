//! robosift judges rows of (origin, agent, URL) by robots.txt captures, at crawl scale: one engine,
//! exact as Google's own matcher or as RFC 9309 says, over Arrow batches and Parquet files.
//!
//! The folders in reading order are the way of the data:
//!
//! ```text
//! octets ─text─▶ lines ─parse─▶ groups ─compile─▶ Program ─matching─▶ rule
//!                                                   │
//!          captures ─corpus─▶ origin → Site ────────┘
//!          rows ─evaluate─▶ batch of verdict columns ─stream─▶ files
//! ```
//!
//! * [`text`]: octets: lines, percent-encoding, URLs and origins
//! * [`table`]: columns of Parquet files, taken as untrusted input
//! * [`parse`]: a body as groups of rules; the two [`parse::Dialect`]s as data
//! * [`compile`]: groups → [`compile::Program`], flat and position-independent
//! * [`matching`]: program × path → the rule that decides
//! * [`agents`]: product tokens and identification strings; the registry of what is known of crawlers
//! * [`corpus`]: captures → what each origin said, under an access [`corpus::Policy`]
//! * [`evaluate`]: one batch × corpus → verdict columns
//! * [`stream`]: row groups of files through a judge, on all cores, written in order
//! * [`lint`]: one body → what its owner may not have meant
//! * [`explain`]: one URL, and why its verdict is what it is
//! * [`diff`]: what closed and opened from one robots.txt or corpus to the next
//! * [`job`]: a whole run
//! * [`workload`]: a made-up crawl for benchmarks and demonstrations
//!
//! # One question
//! ```
//! use robosift::evaluate::{Basis, Settings, judge};
//! let body = b"User-agent: GPTBot\nDisallow: /private/\n";
//! let url = b"https://www.example.com/private/a.html";
//! let verdict = judge(body, b"GPTBot", url, &Settings::default());
//! assert_eq!(verdict.allowed, Some(false));
//! assert_eq!((verdict.basis, verdict.rule_line), (Basis::Rule, 2));
//! ```
//!
//! # Features
//! * `cli` (default): what only the binary needs.

pub mod agents;
pub mod compile;
pub mod corpus;
pub mod diff;
pub mod evaluate;
pub mod explain;
pub mod job;
pub mod lint;
pub mod matching;
pub mod parse;
pub mod stream;
pub mod table;
pub mod text;
pub mod workload;
