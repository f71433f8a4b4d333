//! The arguments of `explain` as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::eval::{AgentKindArgument, JudgingArguments};
use crate::cli::registry::RegistryArguments;

const EXAMPLE: &str = "\
Examples:
  robosift explain https://www.example.com/private/a.html --agent GPTBot --robots robots.txt
  robosift explain https://www.example.com/a?b --agent GPTBot --corpus crawl.corpus --at 2024-05-01
  curl -isL https://www.example.com/robots.txt | robosift explain https://www.example.com/a --agent CCBot --response -

  prints the verdict, the robots.txt with the group that applies and the line that decides, every rule
  that matches with its specificity, the groups that were passed over, and what the other dialect says.

Exit codes: 0 allowed for every agent asked, 1 disallowed for one of them, 2 the command line makes no
sense, 4 failed, 5 disallowed for none but unknown for one. With --all-agents and no --agent, the agents
of the registry are those asked.";

/// Say why a URL is allowed or disallowed
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(crate) struct ExplainArguments {
    /// The URL: absolute, http or https
    #[arg(value_name = "URL")]
    pub(super) url: String,

    /// The robots.txt as it was served with status 200, or - for standard input; as --robots
    #[arg(value_name = "FILE", conflicts_with_all = ["robots", "response", "corpus"])]
    pub(super) file: Option<PathBuf>,

    /// Agent to ask for: a product token, an identification string, *, or a set as in @ai-training (`robosift agents list` names them); repeatable, commas separate tokens and sets
    #[arg(long = "agent", visible_alias = "agents", value_name = "AGENT")]
    pub(super) agents: Vec<String>,

    /// How agents are read; auto: an identification string where there is a parenthesis, or a blank and a slash
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(super) agent_kind: AgentKindArgument,

    #[command(flatten)]
    pub(super) registry: RegistryArguments,

    /// Give the verdicts for all agents of the registry as well
    #[arg(long)]
    pub(super) all_agents: bool,

    #[command(flatten)]
    pub(super) source: SourceArguments,

    /// The time of the question: the visit that counts is the newest one up to it, unless --as-of says otherwise
    #[arg(long, value_name = "TIME", value_parser = crate::cli::quantity::moment, help_heading = "Deciding")]
    pub(super) at: Option<i64>,

    #[command(flatten)]
    pub(super) judging: JudgingArguments,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,

    /// Write the same as one web page, without scripts, that needs nothing else
    #[arg(long, value_name = "PAGE", help_heading = "Output")]
    pub(super) html: Option<PathBuf>,

    /// Print nothing; the exit code tells
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Source")]
pub(super) struct SourceArguments {
    /// The robots.txt as it was served with status 200, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["response", "corpus"])]
    pub(super) robots: Option<PathBuf>,

    /// The answer of the server as `curl -isL` prints it, statuses and redirects and all, or - for standard input; by its Date fields it is known when that was
    #[arg(long, value_name = "FILE", conflicts_with = "corpus")]
    pub(super) response: Option<PathBuf>,

    /// A built corpus, or captures as eval takes them; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub(super) corpus: Vec<PathBuf>,

    /// Columns of robots tables that go by other names: body=response.body,url=robots_url
    #[arg(long, value_name = "MAP")]
    pub(super) robots_columns: Option<String>,
}
