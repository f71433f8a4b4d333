//! The arguments of `eval`, checked and turned into what the library takes.

use robosift::agents::{Agent, AgentKind};
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{ColumnNames, SourceOptions};
use robosift::corpus::{Corpus, Moment, Override, Policy};
use robosift::evaluate::{
    Asked, Evaluator, Fallback, Layout, NoCapture, Scope, Settings, Suffix, VerdictColumn,
};
use robosift::job::{Provenance, RowNames, provenance};
use robosift::parse::Dialect;
use robosift::stream::{Codec, Keep, OnError, StreamError, StreamPlan};

use super::arguments::{
    AgentKindArgument, CompressionArgument, DialectArgument, EvalArguments, FallbackArgument,
    JudgingArguments, LayoutArgument, NoCaptureArgument, PolicyArgument, ScopeArgument,
    SuffixArgument,
};
use super::moment::moment;
use crate::cli::message::CliError;
use crate::cli::places::Taken;
use crate::cli::registry::RegistryArguments;
use crate::cli::{quantity, registry};

/// Octets of rows and verdicts in flight where none are given.
const DEFAULT_MEMORY: usize = 256 << 20;

/// Everything decided before a file is read.
pub(crate) struct EvalPlan {
    pub(crate) settings: Settings,
    pub(crate) asked: Asked,
    pub(crate) columns: Vec<VerdictColumn>,
    pub(crate) row_names: RowNames,
    pub(crate) stream: StreamPlan,
    pub(crate) sources: SourceOptions,
    pub(crate) body_limit: BodyLimit,
    resume: bool,
    layout: Layout,
    suffix: Suffix,
    provenance: Provenance,
}

impl EvalPlan {
    pub(crate) fn new(arguments: &EvalArguments) -> Result<Self, CliError> {
        EvalPlan::of(arguments, StreamPlan::new(&arguments.rows, &arguments.output))
    }

    /// The same with one output for all inputs.
    pub(crate) fn gathered(arguments: &EvalArguments) -> Result<Self, CliError> {
        EvalPlan::of(arguments, StreamPlan::gathered(&arguments.rows, &arguments.output))
    }

    fn of(
        arguments: &EvalArguments,
        stream: Result<StreamPlan, StreamError>,
    ) -> Result<Self, CliError> {
        let (input, judging) = (&arguments.input, &arguments.judging);
        let stream = with_arguments(stream.map_err(stream_error)?, arguments);
        let settings = Settings {
            moment: moment(arguments, &stream)?,
            ..settings_of(judging, input.agent_kind, &input.registry)?
        };
        let asked = asked(arguments, &settings)?;
        let taken = Taken::new(&arguments.corpus.corpus, &input.registry.registry);
        stream.inputs.iter().try_for_each(|input| taken.refuse(&input.output))?;
        Ok(EvalPlan {
            columns: VerdictColumn::parse_list(&arguments.columns.columns)
                .map_err(CliError::usage)?,
            row_names: RowNames {
                url: input.url_column.clone(),
                origin: input.origin_column.clone(),
                agent: input.agent_column.clone(),
                time: input.time_column.clone(),
            },
            stream,
            sources: sources(arguments)?,
            body_limit: BodyLimit::new(judging.body_limit),
            resume: arguments.running.resume,
            layout: match arguments.columns.layout {
                LayoutArgument::Wide => Layout::Wide,
                LayoutArgument::Long => Layout::Long,
            },
            suffix: match arguments.columns.suffix {
                SuffixArgument::Auto => Suffix::Auto,
                SuffixArgument::Always => Suffix::Always,
            },
            provenance: Provenance {
                command: command(arguments, &settings),
                status_overrides: judging.status.clone(),
                body_limit: judging.body_limit,
                as_of: settings.moment.as_of.name(),
                agent_column: input.agent_column.clone(),
            },
            settings,
            asked,
        })
    }

    pub(crate) fn evaluator<'c>(&self, corpus: &'c Corpus) -> Result<Evaluator<'c>, CliError> {
        let (settings, asked) = (self.settings.clone(), self.asked.clone());
        Evaluator::try_new(corpus, settings, asked, &self.columns, self.layout, self.suffix)
            .map_err(CliError::usage)
    }

    /// The same way of judging without columns.
    pub(crate) fn evaluator_without_columns<'c>(
        &self,
        corpus: &'c Corpus,
    ) -> Result<Evaluator<'c>, CliError> {
        let (settings, asked) = (self.settings.clone(), self.asked.clone());
        Evaluator::try_new(corpus, settings, asked, &[], Layout::Wide, Suffix::Auto)
            .map_err(CliError::usage)
    }

    /// The stream with what is recorded of the run. What `--on-error` does to rows decides no octet of a whole output; that it
    /// left out `damaged_sources` of the corpus does.
    pub(crate) fn stream_with_metadata(
        &self,
        corpus: &Corpus,
        damaged_sources: bool,
    ) -> StreamPlan {
        let mut run = self.provenance.clone();
        if damaged_sources {
            run.command.push_str(" --on-error skip");
        }
        let key_values = provenance(corpus, &self.settings, &self.asked, &run);
        StreamPlan { key_values, resume: self.resume, ..self.stream.clone() }
    }

    /// What a user should know before the run.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.asked.agents().iter().filter_map(|agent| self.note_on(agent))
    }

    /// What a user should know about agents that only the rows name, given as they were counted.
    pub(crate) fn notes_on<'a>(
        &self,
        agents: impl Iterator<Item = &'a String>,
    ) -> impl Iterator<Item = String> {
        let Settings { agent_kind, .. } = self.settings;
        let rules = self.settings.name_rules();
        let agents =
            agents.filter_map(move |text| Agent::parse(text.as_bytes(), agent_kind, rules));
        agents.filter_map(|agent| self.note_on(&agent))
    }

    fn note_on(&self, agent: &Agent) -> Option<String> {
        agent.has_unnameable_name().then(|| {
            format!(
                "in dialect {} no file can name {}: its rules for it are read as rules for another \
                 name, and the `*` group applies",
                self.settings.dialect.name,
                agent.label()
            )
        })
    }
}

/// An error of the stream, by whose fault it is.
pub(crate) fn stream_error(error: StreamError) -> CliError {
    if error.is_plan() { CliError::usage(error) } else { CliError::failed(error) }
}

/// How to judge, but for the moment: that depends on the rows.
pub(crate) fn settings_of(
    judging: &JudgingArguments,
    agent_kind: AgentKindArgument,
    registry: &RegistryArguments,
) -> Result<Settings, CliError> {
    let mut policy = match judging.policy {
        PolicyArgument::Rfc9309 => Policy::RFC9309,
        PolicyArgument::Google => Policy::GOOGLE,
        PolicyArgument::Closed => Policy::CLOSED,
        PolicyArgument::Commoncrawl => Policy::COMMONCRAWL,
    };
    for text in &judging.status {
        policy = policy.with_override(Override::parse(text).map_err(CliError::usage)?);
    }
    match judging.stale.as_deref() {
        None => {}
        Some("off") => policy.stale = None,
        Some(span) => policy.stale = Some(quantity::span(span).map_err(CliError::usage)?),
    }
    Ok(Settings {
        dialect: match judging.dialect {
            DialectArgument::Rfc9309 => Dialect::RFC9309,
            DialectArgument::Google => Dialect::GOOGLE,
        },
        policy,
        moment: Moment::default(),
        scope: match judging.scope {
            ScopeArgument::Origin => Scope::Origin,
            ScopeArgument::Host => Scope::Host,
        },
        no_capture: match judging.no_capture {
            NoCaptureArgument::Unknown => NoCapture::Unknown,
            NoCaptureArgument::Allow => NoCapture::Allow,
            NoCaptureArgument::Disallow => NoCapture::Disallow,
        },
        agent_kind: match agent_kind {
            AgentKindArgument::Token => AgentKind::Token,
            AgentKindArgument::Header => AgentKind::Header,
            AgentKindArgument::Auto => AgentKind::Auto,
        },
        fallback: match judging.fallback {
            FallbackArgument::None => Fallback::None,
            FallbackArgument::Documented => Fallback::Documented,
        },
        registry: registry.read()?,
    })
}

fn asked(arguments: &EvalArguments, settings: &Settings) -> Result<Asked, CliError> {
    if arguments.input.agent_column.is_some() {
        return Ok(Asked::Column);
    }
    agents_of(&arguments.input.agents, settings)
}

/// The agents that `--agent` names.
pub(crate) fn agents_of(typed: &[String], settings: &Settings) -> Result<Asked, CliError> {
    let texts = registry::agents(typed, &settings.registry)?;
    Asked::parse(texts, settings).map_err(CliError::usage)
}

fn with_arguments(plan: StreamPlan, arguments: &EvalArguments) -> StreamPlan {
    let output = &arguments.columns;
    StreamPlan {
        threads: arguments.running.threads,
        memory: arguments.running.memory.unwrap_or(DEFAULT_MEMORY),
        codec: match output.compression {
            CompressionArgument::Zstd => Codec::Zstd,
            CompressionArgument::Snappy => Codec::Snappy,
            CompressionArgument::Lz4 => Codec::Lz4,
            CompressionArgument::None => Codec::None,
        },
        on_error: match arguments.damage.skip() {
            true => OnError::Skip,
            false => OnError::Fail,
        },
        keep: match output.keep.as_str() {
            "none" => Keep::None,
            "all" => Keep::All,
            names => Keep::Names(names.split(',').map(|name| name.trim().to_owned()).collect()),
        },
        ..plan
    }
}

fn sources(arguments: &EvalArguments) -> Result<SourceOptions, CliError> {
    let columns = match &arguments.corpus.robots_columns {
        Some(map) => ColumnNames::parse(map).map_err(CliError::usage)?,
        None => ColumnNames::default(),
    };
    Ok(SourceOptions {
        columns,
        origin: arguments.corpus.origin.clone(),
        skip_damaged: arguments.damage.skip(),
        batch_octets: None,
    })
}

/// The command with what decides the output, and nothing else: the same work gives the same file,
/// whatever the threads and the place it is written to.
fn command(arguments: &EvalArguments, settings: &Settings) -> String {
    let mut words = vec!["robosift eval".to_owned()];
    let mut flag = |name: &str, value: String| words.push(format!("{name} {}", quoted(&value)));
    let text = |value: &dyn std::fmt::Debug| format!("{value:?}").to_ascii_lowercase();
    let (corpus, input) = (&arguments.corpus, &arguments.input);
    let (judging, output) = (&arguments.judging, &arguments.columns);
    corpus.corpus.iter().for_each(|path| flag("--corpus", path.display().to_string()));
    let optional = [
        ("--origin", &corpus.origin),
        ("--robots-columns", &corpus.robots_columns),
        ("--agent-column", &input.agent_column),
        ("--url-column", &input.url_column),
        ("--origin-column", &input.origin_column),
        ("--stale", &judging.stale),
        ("--capture-window", &judging.capture_window),
        ("--time-column", &input.time_column),
    ];
    for (name, value) in optional {
        value.iter().for_each(|value| flag(name, value.clone()));
    }
    input.agents.iter().for_each(|agent| flag("--agent", agent.clone()));
    let registry = input.registry.registry.iter();
    registry.for_each(|path| flag("--registry", path.display().to_string()));
    judging.status.iter().for_each(|row| flag("--status", row.clone()));
    flag("--agent-kind", text(&input.agent_kind));
    flag("--dialect", text(&judging.dialect));
    flag("--policy", text(&judging.policy));
    flag("--fallback", text(&judging.fallback));
    flag("--no-capture", text(&judging.no_capture));
    flag("--as-of", settings.moment.as_of.name());
    flag("--scope", text(&judging.scope));
    flag("--body-limit", judging.body_limit.to_string());
    flag("--columns", output.columns.clone());
    flag("--keep", output.keep.clone());
    flag("--layout", text(&output.layout));
    flag("--suffix", text(&output.suffix));
    flag("--compression", text(&output.compression));
    words.extend(judging.nearest.then(|| "--nearest".to_owned()));
    words.extend(arguments.rows.iter().map(|rows| quoted(rows)));
    words.join(" ")
}

/// Quoted for a shell where that is needed.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,%+@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
