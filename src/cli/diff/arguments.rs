//! The arguments of `diff` as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::eval::{
    AgentKindArgument, DialectArgument, FallbackArgument, JudgingArguments, NoCaptureArgument,
    PolicyArgument, ScopeArgument,
};
use crate::cli::registry::RegistryArguments;

const EXAMPLE: &str = "\
Examples:
  robosift diff live.txt robots.txt                        before a deployment: exit code 1 when a path closed
  robosift diff live.txt robots.txt --agents @ai-search    for these agents only
  robosift diff 2024.corpus 2025.corpus -o changes.parquet

  The first prints for whom paths closed and opened. Each line is a path that a rule closed or opened, of all of them the
  shortest in the form in which paths are compared (`%24` for a `$`), and what decides it in the old file and in the new one:

    GPTBot, CCBot: 1 rule closes paths
      closed  /private/  old line 3: Allow: /  new line 3: Disallow: /private/

  Paths are found by walking the patterns of both files together, not by comparing text; where that would take too much work
  (all groups of two files share one bound), it is said. Of many outcomes the first 50 are printed, and how many more there are.

  curl -s https://www.example.com/robots.txt | robosift diff - robots.txt      - is standard input

  A row of changes.parquet is an origin that changed for an agent: change (closed_wholly, partly_closed, closed_and_opened,
  partly_opened, opened_wholly), closed_path and opened_path that show it, old_allows and new_allows (all, some or
  nothing), and of what decides the path on both sides basis, line, pattern, digest of the body and status.

Exit codes: 0 nothing closed for the agents asked, 1 something closed, 2 the command line makes no sense, 3 nothing closed but
part of a source was skipped, 4 failed, 5 nothing was seen to close but it is not known: it would take too much work, or no
origin has an answer on both sides.";

/// Say what closed and opened between two robots.txt files or two corpora, and for whom
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(crate) struct DiffArguments {
    /// The robots.txt as it was, - for standard input; or a corpus: built, or captures as eval takes them
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,

    /// The robots.txt as it is now, - for standard input; or another corpus
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,

    /// Agent to ask for: a product token, an identification string, *, or a set as in @ai-training; repeatable, commas separate tokens and sets [default: * and, of two files, all agents that either names; of two corpora, all of the registry, counted where a body answers them otherwise than *]
    #[arg(long = "agent", visible_alias = "agents", value_name = "AGENT")]
    pub(super) agents: Vec<String>,

    /// How agents are read; auto: an identification string where there is a parenthesis, or a blank and a slash
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(super) agent_kind: AgentKindArgument,

    #[command(flatten)]
    pub(super) registry: RegistryArguments,

    #[command(flatten)]
    pub(super) deciding: DecidingArguments,

    /// Of two corpora: Parquet file to write, a row for each origin that changed for an agent
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,

    /// Print nothing; the exit code tells (what is asked for with --json is still printed)
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Deciding")]
pub(super) struct DecidingArguments {
    /// How bodies are read and rules compared
    #[arg(long, value_name = "DIALECT", default_value = "rfc9309")]
    dialect: DialectArgument,

    /// What statuses mean, in corpora
    #[arg(long, value_name = "POLICY", default_value = "rfc9309")]
    policy: PolicyArgument,

    /// Set one row of the policy otherwise: 403=disallow, 5xx=allow, none=unknown; repeatable
    #[arg(long, value_name = "STATUS=VERDICT")]
    status: Vec<String>,

    /// Answer an unreachable origin from its last successful capture at most so much older [default: the policy's]
    #[arg(long, value_name = "SPAN|off")]
    stale: Option<String>,

    /// Which group applies to an agent that a file does not name: that of *, or as the registry has it for the agent
    #[arg(long, value_name = "FALLBACK", default_value = "none")]
    fallback: FallbackArgument,

    /// Which visit of each origin counts, in both corpora: the newest one, or the newest one at or before a date
    #[arg(long, value_name = "latest|DATE")]
    pub(super) as_of: Option<String>,

    /// Columns of robots tables that go by other names: body=response.body,url=robots_url
    #[arg(long, value_name = "MAP")]
    pub(super) robots_columns: Option<String>,

    /// Octets of a body that are read, 0 = all, up to 128 MiB
    #[arg(long, value_name = "OCTETS", default_value_t = 512_000)]
    pub(super) body_limit: usize,
}

impl DecidingArguments {
    /// As the arguments of other commands, which have more of them.
    pub(super) fn judging(&self) -> JudgingArguments {
        JudgingArguments {
            dialect: self.dialect,
            policy: self.policy,
            status: self.status.clone(),
            stale: self.stale.clone(),
            fallback: self.fallback,
            no_capture: NoCaptureArgument::Unknown,
            as_of: self.as_of.clone(),
            capture_window: None,
            nearest: false,
            scope: ScopeArgument::Origin,
            body_limit: self.body_limit,
        }
    }
}
