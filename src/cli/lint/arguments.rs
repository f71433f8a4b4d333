//! The arguments of `lint`.

use std::path::PathBuf;

use clap::Args;
use robosift::compile::BodyLimit;
use robosift::lint::{Code, CodeSet, KnownAgents, Options, Severity};
use robosift::parse::Dialect;

use crate::cli::message::CliError;
use crate::cli::registry::RegistryArguments;

const EXAMPLE: &str = "\
Example:
  $ printf 'User-agent: *\\nDisallow: drafts/\\n' | robosift lint -
  error[RS301 unrooted-pattern]: `drafts/` starts with neither `/` nor `*` and matches nothing
   --> <stdin>:2:11
    |
  2 | Disallow: drafts/
    |           ^^^^^^^
    |
    = help: write `/drafts/`

  <stdin>: 1 error, 0 warnings, 0 for information

  robosift lint --corpus demo.corpus -o findings.parquet     all bodies of a corpus, as a table
  robosift lint --list                                       every code, with what it finds
  robosift lint robots.txt --registry own.toml               agents of your own are known by name

  What each code means, with an example: docs/LINT.md.

Exit codes: 0 nothing at the level of --fail-on, 1 something, 2 the command line makes no sense, 4 failed.";

/// Find what the owner of a robots.txt may not have meant
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(crate) struct LintArguments {
    /// robots.txt files; `-` for standard input
    #[arg(value_name = "FILES", conflicts_with = "corpus")]
    pub(super) files: Vec<PathBuf>,

    /// Lint every distinct body of a built corpus, or of any other source that eval takes
    #[arg(long, value_name = "CORPUS")]
    pub(super) corpus: Vec<PathBuf>,

    /// Columns of robots tables that go by other names: body=response.body,url=robots_url
    #[arg(long, value_name = "MAP")]
    pub(super) robots_columns: Option<String>,

    /// Parquet file for the findings of a corpus, a row each
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// List all codes, and do nothing else
    #[arg(long)]
    pub(super) list: bool,

    /// Codes or names that alone are looked for: RS301,shadowed-rule
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code, help_heading = "Findings")]
    only: Vec<Code>,

    /// Codes or names that are not looked for
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = code, help_heading = "Findings")]
    ignore: Vec<Code>,

    /// End with exit code 1 when something of this severity, or above, was found
    #[arg(long, value_name = "SEVERITY", default_value = "warning", help_heading = "Findings")]
    fail_on: FailOn,

    /// Findings of one code shown for a body; the rest is counted [default: 10 as text, else 1000]
    #[arg(long, value_name = "N", help_heading = "Findings")]
    most: Option<usize>,

    /// The dialect in which rules are compared with each other
    #[arg(long, value_name = "DIALECT", default_value = "rfc9309", help_heading = "Findings")]
    dialect: DialectArgument,

    #[command(flatten)]
    registry: RegistryArguments,

    /// Octets of a body that crawlers read, 0 = all
    #[arg(long, value_name = "OCTETS", default_value_t = 512_000, help_heading = "Findings")]
    body_limit: usize,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: Format,

    /// Print one JSON object: the same as --format json
    #[arg(long, conflicts_with_all = ["format", "sarif"], help_heading = "Printing")]
    json: bool,

    /// Print a SARIF log: the same as --format sarif
    #[arg(long, conflicts_with = "format", help_heading = "Printing")]
    sarif: bool,

    /// Colours: auto is on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Printing")]
    pub(super) color: Color,

    /// Print only findings, no counts; of a corpus nothing, unless --json asks for it
    #[arg(short, long, help_heading = "Printing")]
    pub(super) quiet: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
pub(super) enum Format {
    Text,
    Json,
    Sarif,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
enum FailOn {
    Error,
    Warning,
    Info,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
enum DialectArgument {
    Rfc9309,
    Google,
}

/// Findings of one code that text shows of a file, and that other outputs hold.
const MOST_AS_TEXT: usize = 10;
const MOST_AS_DATA: usize = 1_000;

fn code(text: &str) -> Result<Code, String> {
    let unknown = || format!("`{text}` is no code; `robosift lint --list` has them all");
    Code::named(text.trim()).ok_or_else(unknown)
}

impl LintArguments {
    /// What the library is asked for.
    pub(super) fn options(&self) -> Result<Options, CliError> {
        let of_corpus = [
            ("--output", self.output.is_some()),
            ("--robots-columns", self.robots_columns.is_some()),
        ];
        if let Some((flag, _)) =
            of_corpus.iter().find(|(_, given)| *given && self.corpus.is_empty())
        {
            return Err(CliError::usage(format!("{flag} goes with --corpus")));
        }
        if self.format() == Format::Sarif && !self.corpus.is_empty() {
            return Err(CliError::usage(
                "a SARIF log is made of files; a corpus gives a table: -o findings.parquet",
            ));
        }
        if let Some(code) = self.only.iter().find(|code| self.ignore.contains(code)) {
            let code = code.id();
            return Err(CliError::usage(format!("{code} is given to --only and to --ignore")));
        }
        let codes = if self.only.is_empty() { CodeSet::all() } else { CodeSet::of(&self.only) };
        let is_text = self.format() == Format::Text && self.corpus.is_empty();
        Ok(Options {
            dialect: match self.dialect {
                DialectArgument::Rfc9309 => Dialect::RFC9309,
                DialectArgument::Google => Dialect::GOOGLE,
            },
            limit: BodyLimit::new(self.body_limit),
            most_per_code: self.most.unwrap_or(if is_text { MOST_AS_TEXT } else { MOST_AS_DATA }),
            codes: codes.without(&self.ignore),
            agents: KnownAgents::of(&self.registry.read()?),
            may_be_beginnings: false,
        })
    }

    /// The user's file with agents, where one is given.
    pub(super) fn registry_file(&self) -> Option<&PathBuf> {
        self.registry.registry.as_ref()
    }

    /// How findings are printed.
    pub(super) fn format(&self) -> Format {
        match (self.json, self.sarif) {
            (true, _) => Format::Json,
            (_, true) => Format::Sarif,
            _ => self.format,
        }
    }

    /// Whether what was found, at worst, ends the command with a no.
    pub(super) fn fails_on(&self, worst: Option<Severity>) -> bool {
        let least = match self.fail_on {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Info => Severity::Info,
            FailOn::None => return false,
        };
        worst.is_some_and(|worst| worst >= least)
    }
}
