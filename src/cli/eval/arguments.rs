//! The arguments of `eval` as typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::registry::RegistryArguments;
use crate::cli::running::{DamageArguments, RunningArguments};

const EXAMPLE: &str = "\
Example:
  robosift eval --corpus data/demo/robots.jsonl --agent GPTBot,CCBot data/demo/rows.parquet -o verdicts.parquet

  writes verdicts.parquet: for each row of data/demo/rows.parquet, in the same order, whether GPTBot
  and CCBot were allowed to fetch its URL, on what basis, and which rule decided. A rule id is the
  number of the body in its upper 32 bits and the line in that body in its lower 32 bits.

Exit codes: 0 done, 2 the command line makes no sense, 3 finished but something was skipped, 4 failed.";

/// Write verdict columns for the rows of Parquet files
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(crate) struct EvalArguments {
    /// Parquet files with a row per URL; folders and quoted globs take all files in them
    #[arg(required = true, value_name = "ROWS")]
    pub(crate) rows: Vec<String>,

    /// File to write when there is one input file, else a folder that mirrors the inputs
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) corpus: CorpusArguments,

    #[command(flatten)]
    pub(crate) input: InputArguments,

    #[command(flatten)]
    pub(crate) judging: JudgingArguments,

    #[command(flatten)]
    pub(crate) columns: OutputArguments,

    #[command(flatten)]
    pub(crate) running: RunningArguments,

    #[command(flatten)]
    pub(crate) damage: DamageArguments,

    /// Say what would be read and written, and write nothing
    #[arg(long, help_heading = "Running")]
    pub(crate) dry_run: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Corpus")]
pub(crate) struct CorpusArguments {
    /// A built corpus (one folder, or one of shards), or captures of robots.txt files as they are: archives (.warc, .warc.gz, .warc.zst), tables (.parquet, .jsonl, .csv, also .gz and .zst), folders of files named by host, quoted globs, lists of paths (.paths), or one robots.txt with --origin; may be given more than once
    #[arg(long, required = true, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,

    /// Whose robots.txt a single file is: https://www.example.com
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Option<String>,

    /// Columns of robots tables that go by other names: body=response.body,url=robots_url
    #[arg(long, value_name = "MAP")]
    pub(crate) robots_columns: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rows")]
pub(crate) struct InputArguments {
    /// Agent to ask for: a product token, an identification string, *, or a set as in @ai-training (`robosift agents list` names them); repeatable, commas separate tokens and sets
    #[arg(long = "agent", visible_alias = "agents", value_name = "AGENT")]
    pub(crate) agents: Vec<String>,

    /// Column in which each row names its agent
    #[arg(long, value_name = "COLUMN", conflicts_with = "agents")]
    pub(crate) agent_column: Option<String>,

    /// How agents are read; auto: an identification string where there is a parenthesis, or a blank and a slash
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(crate) agent_kind: AgentKindArgument,

    #[command(flatten)]
    pub(crate) registry: RegistryArguments,

    /// Column with the URLs [default: the first present of url, u, metadata.url]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) url_column: Option<String>,

    /// Column with the time of each row [default, where --as-of needs one: the first present of fetch_time, date, timestamp, metadata.date]; a date alone is its midnight, UTC
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time_column: Option<String>,

    /// Column with the origins, where the URL column holds paths
    #[arg(long, value_name = "COLUMN")]
    pub(crate) origin_column: Option<String>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Deciding")]
pub(crate) struct JudgingArguments {
    /// How bodies are read and rules compared
    #[arg(long, value_name = "DIALECT", default_value = "rfc9309")]
    pub(crate) dialect: DialectArgument,

    /// What statuses mean
    #[arg(long, value_name = "POLICY", default_value = "rfc9309")]
    pub(crate) policy: PolicyArgument,

    /// Set one row of the policy otherwise: 403=disallow, 5xx=allow, none=unknown; repeatable
    #[arg(long, value_name = "STATUS=VERDICT")]
    pub(crate) status: Vec<String>,

    /// Answer an unreachable origin from its last successful capture at most so much older [default: the policy's]
    #[arg(long, value_name = "SPAN|off")]
    pub(crate) stale: Option<String>,

    /// Which group applies to an agent that a file does not name: that of * as RFC 9309 says (none), or as the registry has it for the agent, as in Googlebot-News → Googlebot → * (documented)
    #[arg(long, value_name = "FALLBACK", default_value = "none")]
    pub(crate) fallback: FallbackArgument,

    /// Verdict where the corpus holds no capture
    #[arg(long, value_name = "VERDICT", default_value = "unknown")]
    pub(crate) no_capture: NoCaptureArgument,

    /// Which visit of an origin counts: the newest one (latest), the newest one at or before the row's time (row) or a date, or what any visit since the row's time refuses is refused (ever); DATE is a date, all of its day included, or a time [default: row where a time column is named or known, else latest]
    #[arg(long, value_name = "row|latest|ever|DATE")]
    pub(crate) as_of: Option<String>,

    /// Captures older than this at the time in question do not count: 24h, 30d
    #[arg(long, value_name = "SPAN")]
    pub(crate) capture_window: Option<String>,

    /// A later capture counts too where it is nearer in time
    #[arg(long)]
    pub(crate) nearest: bool,

    /// Whose captures answer for an origin: its own, or where it has none those of the same host under http or https
    #[arg(long, value_name = "SCOPE", default_value = "origin")]
    pub(crate) scope: ScopeArgument,

    /// Octets of a body that are read, 0 = all; of a body, sources give 8 MiB at most
    #[arg(long, value_name = "OCTETS", default_value_t = 512_000)]
    pub(crate) body_limit: usize,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Verdict columns: standard, full, or names
    #[arg(long, value_name = "COLUMNS", default_value = "standard")]
    pub(crate) columns: String,

    /// Input columns to carry over: none, all, or names
    #[arg(long, value_name = "COLUMNS", default_value = "none")]
    pub(crate) keep: String,

    /// Several agents: columns side by side, or a row for each
    #[arg(long, value_name = "LAYOUT", default_value = "wide")]
    pub(crate) layout: LayoutArgument,

    /// When column names end in the agent: with several agents, or always
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) suffix: SuffixArgument,

    /// Compression of the output
    #[arg(long, value_name = "CODEC", default_value = "zstd")]
    pub(crate) compression: CompressionArgument,
}

/// Makes an enum of words, each with its name on the command line.
macro_rules! words {
    ($name:ident { $($variant:ident),+ }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        #[value(rename_all = "lowercase")]
        pub(crate) enum $name { $($variant),+ }
    };
}

words!(AgentKindArgument { Token, Header, Auto });
words!(DialectArgument { Rfc9309, Google });
words!(PolicyArgument { Rfc9309, Google, Closed, Commoncrawl });
words!(NoCaptureArgument { Unknown, Allow, Disallow });
words!(FallbackArgument { None, Documented });
words!(ScopeArgument { Origin, Host });
words!(LayoutArgument { Wide, Long });
words!(SuffixArgument { Auto, Always });
words!(CompressionArgument { Zstd, Snappy, Lz4, None });
