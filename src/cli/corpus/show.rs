//! `robosift corpus show`: one origin: its captures, and the groups and rules as the matcher sees them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;
use robosift::compile::{GroupId, NameKind, ProgramRef};
use robosift::corpus::{
    Access, AsOf, BodyId, Capture, Corpus, Moment, OriginId, Outcome, Policy, Site, Status, hex,
};
use robosift::parse::{Dialect, Kind};
use robosift::text::{origin::Origin, timestamp};

use super::super::exit::Exit;
use super::super::message::{CliError, push_printable, show, show_text};
use super::super::quantity::{self, counted};
use super::show_json;

const EXAMPLE: &str = "\
Example:
  robosift corpus show demo.corpus https://www.example.com
  robosift corpus show demo.corpus www.example.com --at 2024-05-01

Exit codes: 0 done, 2 the command line makes no sense, 4 failed (also: the corpus has no such origin).";

/// Captures that are listed.
const MOST_CAPTURES: usize = 20;

/// Show what an origin said: its captures, groups and rules
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct ShowArguments {
    /// A built corpus: one folder, or one of shards
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Whose robots.txt: https://www.example.com; https where no scheme is given
    #[arg(value_name = "ORIGIN")]
    origin: String,

    /// As of when: a date, all of its day included, or a time [default: the newest visit]
    #[arg(long, value_name = "TIME", value_parser = quantity::moment)]
    at: Option<i64>,

    /// The dialect in which bodies were compiled
    #[arg(long, value_name = "DIALECT", default_value = "rfc9309")]
    dialect: DialectArgument,

    /// Print the text of the body instead: as it came, but on a terminal with what that would obey written out
    #[arg(long, conflicts_with = "json")]
    text: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
enum DialectArgument {
    Rfc9309,
    Google,
}

/// Runs the command.
pub(super) fn run(arguments: &ShowArguments) -> Result<Exit, CliError> {
    let dialect = match arguments.dialect {
        DialectArgument::Rfc9309 => Dialect::RFC9309,
        DialectArgument::Google => Dialect::GOOGLE,
    };
    let corpus = Corpus::open(&arguments.corpus, &dialect).map_err(CliError::failed)?;
    let origin = find(&corpus, &arguments.origin)?;
    let as_of = arguments.at.map_or(AsOf::Latest, AsOf::Date);
    let moment = Moment { as_of, ..Moment::default() };
    let site = corpus.answer(origin, &Policy::RFC9309, &moment, None).site;
    if arguments.text {
        return print_text(&corpus, site);
    }
    if arguments.json {
        let object = show_json::object(&corpus, origin, site);
        corpus.check().map_err(CliError::failed)?;
        show(object);
        return Ok(Exit::Done);
    }
    show(format_args!("{}", corpus.origin_name(origin)));
    print_captures(&corpus, origin);
    match site {
        None => show("nothing was captured up to that time"),
        Some(site) => print_site(&corpus, &site),
    }
    corpus.check().map_err(CliError::failed)?;
    Ok(Exit::Done)
}

fn find(corpus: &Corpus, text: &str) -> Result<OriginId, CliError> {
    let with_scheme = match text.contains("://") {
        true => text.to_owned(),
        false => format!("https://{text}"),
    };
    let origin = Origin::parse(with_scheme.as_bytes()).ok_or_else(|| {
        CliError::usage(format!("`{text}` is not an origin such as https://www.example.com"))
    })?;
    let found = corpus.find(origin.as_str().as_bytes());
    corpus.check().map_err(CliError::failed)?;
    found.ok_or_else(|| {
        CliError::failed(format!("the corpus has no capture of {}/robots.txt", origin.as_str()))
    })
}

fn print_text(corpus: &Corpus, site: Option<Site>) -> Result<Exit, CliError> {
    let Some(Access::Rules(body)) = site.map(|site| site.access) else {
        return Err(CliError::failed("no body applied at that time"));
    };
    let text = corpus.text(body).map_err(CliError::failed)?;
    show_text(&text);
    Ok(Exit::Done)
}

fn print_captures(corpus: &Corpus, origin: OriginId) {
    let captures: Vec<Capture<'_>> = corpus.captures(origin).collect();
    show(format_args!("\ncaptures ({}, newest first)", HumanCount(captures.len() as u64)));
    for capture in captures.iter().rev().take(MOST_CAPTURES) {
        let status = capture.status.map_or("none".to_owned(), |status| status.0.to_string());
        let redirect =
            capture.redirect().filter(|_| capture.status.is_some_and(Status::is_redirect));
        let what = match (capture.body, redirect) {
            (_, Some(target)) => format!("→ {target}"),
            (Some(body), None) => format!("body {}", body.number()),
            (None, None) => String::new(),
        };
        let line = format!("  {}  {status:>4}  {what}", time(capture.time));
        show(line.trim_end());
    }
    if captures.len() > MOST_CAPTURES {
        show(format_args!("  {} older ones", captures.len() - MOST_CAPTURES));
    }
}

fn time(time: Option<i64>) -> String {
    // As wide as a time, so that columns stand below each other.
    time.map_or_else(|| "no time known       ".to_owned(), timestamp::format)
}

fn print_site(corpus: &Corpus, site: &Site) {
    let redirected = if site.redirected { ", redirected" } else { "" };
    let which = match site.time {
        Some(time) => format!("of {}", timestamp::format(time)),
        None => "without a time".to_owned(),
    };
    show(format_args!("\ncounts: the capture {which}{redirected}"));
    match site.access {
        Access::RedirectUnresolved => show("a redirect leads to what the corpus does not hold"),
        Access::Closed(outcome) => show(meaning(outcome)),
        Access::Rules(body) => print_body(corpus, body),
    }
}

/// What access without a body means under policy `rfc9309`.
pub(super) fn meaning(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NoCapture | Outcome::Unknown => "its body is not known",
        Outcome::Unavailable => "unavailable: everything may be crawled (policy rfc9309)",
        Outcome::Unreachable => "unreachable: nothing may be crawled (policy rfc9309)",
        Outcome::Forbidden => "forbidden: nothing may be crawled",
    }
}

fn print_body(corpus: &Corpus, body: BodyId) {
    let (len, num_origins) = corpus.body_facts(body).unwrap_or_default();
    let digest = corpus.digest(body).map(|digest| hex(digest)).unwrap_or_default();
    show(format_args!(
        "body {}: {} octets, served by {}, sha256 {digest}",
        body.number(),
        HumanCount(len),
        counted(num_origins, "origin")
    ));
    let Some(program) = corpus.program(body) else { return };
    let groups = groups(program);
    if groups.is_empty() {
        show("no group");
    }
    for (group, names) in groups {
        print_group(program, group, &names);
    }
}

/// The groups of a program with their names: whole names in quotes, others as tokens.
pub(super) fn groups(program: ProgramRef<'_>) -> BTreeMap<GroupId, Vec<String>> {
    let mut groups: BTreeMap<GroupId, Vec<String>> = BTreeMap::new();
    for (kind, name, group) in program.names() {
        let name = printable(name);
        let shown = if kind == NameKind::Whole { format!("\"{name}\"") } else { name };
        groups.entry(group).or_default().push(shown);
    }
    if let Some(group) = program.wildcard() {
        groups.entry(group).or_default().push("*".to_owned());
    }
    groups.values_mut().for_each(|names| names.sort());
    groups
}

fn print_group(program: ProgramRef<'_>, group: GroupId, names: &[String]) {
    show(format_args!("\nfor {}", names.join(", ")));
    let group = program.group(group);
    let rules = group.rules();
    if rules.is_empty() {
        show("  no rule that can match: everything is allowed");
        return;
    }
    show("  octets  line  rule (the first that matches decides)");
    for rule in rules {
        let kind = if rule.kind == Kind::Allow { "allow   " } else { "disallow" };
        show(format_args!(
            "  {:>6}  {:>4}  {kind}  {}",
            rule.specificity(),
            rule.line,
            printable(rule.pattern)
        ));
    }
}

/// Octets of a line of a body as text; what a terminal would obey is written out.
pub(super) fn printable(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    String::from_utf8_lossy(octets).chars().for_each(|c| push_printable(&mut text, c));
    text
}
