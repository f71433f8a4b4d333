//! Keyword arguments → settings: the words are those of the command line.
//!
//! Enters: a dictionary. Leaves: [`Options`], or an error that names what is accepted. Must not know: corpora.

use std::path::PathBuf;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use robosift::agents::AgentKind;
use robosift::agents::registry::Registry;
use robosift::corpus::{AsOf, Moment, Override, Policy};
use robosift::evaluate::{
    Asked, Fallback, Layout, NoCapture, Scope, Settings, Suffix, VerdictColumn,
};
use robosift::parse::Dialect;
use robosift::text::quantity;

use crate::error;
use crate::pool::check_threads;

/// Words with what they mean.
type Words<T> = &'static [(&'static str, T)];

const POLICIES: [fn() -> Policy; 4] =
    [|| Policy::RFC9309, || Policy::GOOGLE, || Policy::CLOSED, || Policy::COMMONCRAWL];
const SCOPES: Words<Scope> = &[("origin", Scope::Origin), ("host", Scope::Host)];
const NO_CAPTURES: Words<NoCapture> = &[
    ("unknown", NoCapture::Unknown),
    ("allow", NoCapture::Allow),
    ("disallow", NoCapture::Disallow),
];
const AGENT_KINDS: Words<AgentKind> =
    &[("auto", AgentKind::Auto), ("token", AgentKind::Token), ("header", AgentKind::Header)];
const FALLBACKS: Words<Fallback> =
    &[("none", Fallback::None), ("documented", Fallback::Documented)];
const LAYOUTS: Words<Layout> = &[("wide", Layout::Wide), ("long", Layout::Long)];
const SUFFIXES: Words<Suffix> = &[("auto", Suffix::Auto), ("always", Suffix::Always)];

/// The options, in the order of the documentation.
const KNOWN: [&str; 16] = [
    "dialect",
    "policy",
    "status",
    "stale",
    "fallback",
    "no_capture",
    "as_of",
    "capture_window",
    "nearest",
    "scope",
    "agent_kind",
    "registry",
    "columns",
    "layout",
    "suffix",
    "threads",
];

/// Everything that decides verdicts and their columns but for corpus, agents and rows.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// All but the moment.
    pub(crate) settings: Settings,
    /// As of when; where nothing was given, the rows decide.
    pub(crate) as_of: Option<AsOf>,
    pub(crate) window: Option<i64>,
    pub(crate) nearest: bool,
    /// Rows of the policy that were set otherwise, as given.
    pub(crate) overrides: Vec<String>,
    pub(crate) columns: Vec<VerdictColumn>,
    pub(crate) layout: Layout,
    pub(crate) suffix: Suffix,
    /// Threads to judge on; 0 is one for each core.
    pub(crate) threads: usize,
    /// As it was given, to be written down.
    pub(crate) words: Vec<(String, String)>,
}

impl Options {
    /// Reads them.
    pub(crate) fn read(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = Given(given);
        given.refuse_unknown()?;
        let overrides = given.texts("status")?;
        let settings = Settings {
            dialect: dialect(given.text("dialect")?.as_deref())?,
            policy: policy(&given, &overrides)?,
            moment: Moment::default(),
            scope: given.word("scope", SCOPES)?,
            no_capture: given.word("no_capture", NO_CAPTURES)?,
            agent_kind: given.word("agent_kind", AGENT_KINDS)?,
            fallback: given.word("fallback", FALLBACKS)?,
            registry: match given.get::<PathBuf>("registry")? {
                Some(path) => Registry::with_file(path).map_err(error::argument)?,
                None => Registry::builtin().clone(),
            },
        };
        let as_of = given.text("as_of")?.map(|text| AsOf::parse(&text)).transpose();
        let window = given.text("capture_window")?.map(|text| quantity::span(&text)).transpose();
        let columns = given.list("columns")?.unwrap_or_else(|| "standard".to_owned());
        Ok(Options {
            settings,
            as_of: as_of.map_err(|error| error::argument(format!("as_of {error}")))?,
            window: window.map_err(|error| error::argument(format!("capture_window: {error}")))?,
            nearest: given.get("nearest")?.unwrap_or(false),
            overrides,
            columns: VerdictColumn::parse_list(&columns).map_err(error::argument)?,
            layout: given.word("layout", LAYOUTS)?,
            suffix: given.word("suffix", SUFFIXES)?,
            threads: given.threads()?,
            words: given.words()?,
        })
    }

    /// The settings for rows that have times, or have none.
    pub(crate) fn settings(&self, have_times: bool) -> PyResult<Settings> {
        let as_of = self.as_of.unwrap_or(if have_times { AsOf::Row } else { AsOf::Latest });
        let measured = match (self.window, self.nearest) {
            (Some(_), _) => Some("capture_window"),
            (None, true) => Some("nearest"),
            (None, false) => None,
        };
        if let Some(name) = measured.filter(|_| as_of == AsOf::Latest) {
            return Err(error::argument(format!(
                "{name} needs a time to measure from: as_of=\"row\", \"ever\" or a date"
            )));
        }
        let moment = Moment { as_of, window: self.window, nearest: self.nearest };
        Ok(Settings { moment, ..self.settings.clone() })
    }
}

/// The dialect of this name; RFC 9309's where none is given.
pub(crate) fn dialect(name: Option<&str>) -> PyResult<Dialect> {
    let Some(name) = name else { return Ok(Dialect::RFC9309) };
    let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
    Dialect::named(name).ok_or_else(|| unknown("dialect", name, &known))
}

fn policy(given: &Given<'_, '_>, overrides: &[String]) -> PyResult<Policy> {
    let name = given.text("policy")?;
    let name = name.as_deref().unwrap_or(Policy::RFC9309.name);
    let known: Vec<&str> = POLICIES.iter().map(|policy| policy().name).collect();
    let policy = POLICIES.iter().map(|policy| policy()).find(|policy| policy.name == name);
    let mut policy = policy.ok_or_else(|| unknown("policy", name, &known))?;
    for text in overrides {
        policy = policy.with_override(Override::parse(text).map_err(error::argument)?);
    }
    match given.text("stale")?.as_deref() {
        None => {}
        Some("off") => policy.stale = None,
        Some(span) => {
            let span = quantity::span(span);
            policy.stale = Some(span.map_err(|error| error::argument(format!("stale: {error}")))?);
        }
    }
    Ok(policy)
}

fn unknown(what: &str, word: &str, known: &[&str]) -> PyErr {
    error::argument(format!("{what}: `{word}` is unknown; there are: {}", known.join(", ")))
}

/// A dictionary of options, or none. `None` as a value is as if it were not there.
struct Given<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl<'py> Given<'_, 'py> {
    fn refuse_unknown(&self) -> PyResult<()> {
        let Some(given) = self.0 else { return Ok(()) };
        for key in given.keys() {
            let key: String = key.extract()?;
            if !KNOWN.contains(&key.as_str()) {
                return Err(unknown("option", &key, &KNOWN));
            }
        }
        Ok(())
    }

    fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.map(|given| given.get_item(name)).transpose()?.flatten();
        Ok(value.filter(|value| !value.is_none()))
    }

    fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        let wrong = || error::argument(format!("{name}: {value:?} cannot be taken for it"));
        value.extract().map(Some).map_err(|_| wrong())
    }

    fn text(&self, name: &str) -> PyResult<Option<String>> {
        self.get(name)
    }

    fn threads(&self) -> PyResult<usize> {
        let threads = self.get("threads")?.unwrap_or(0);
        check_threads(threads).map(|()| threads)
    }

    /// One text, or several.
    fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        let Some(value) = self.value(name)? else { return Ok(Vec::new()) };
        one_or_more(&value).ok_or_else(|| error::argument(format!("{name} takes texts")))
    }

    /// One text, or several with commas between them.
    fn list(&self, name: &str) -> PyResult<Option<String>> {
        let texts = self.texts(name)?;
        Ok((!texts.is_empty()).then(|| texts.join(",")))
    }

    fn word<T: Copy>(&self, name: &str, words: Words<T>) -> PyResult<T> {
        let Some(text) = self.text(name)? else {
            let (_, first) = words.first().ok_or_else(|| error::argument(name))?;
            return Ok(*first);
        };
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| unknown(name, &text, &known))
    }

    /// What decides verdicts, as given, in a fixed order.
    fn words(&self) -> PyResult<Vec<(String, String)>> {
        let mut words = Vec::new();
        for name in KNOWN.iter().filter(|name| **name != "threads") {
            if let Some(value) = self.value(name)? {
                words.push(((*name).to_owned(), value.repr()?.to_string()));
            }
        }
        Ok(words)
    }
}

/// A text, or the texts of a sequence.
pub(crate) fn one_or_more(value: &Bound<'_, PyAny>) -> Option<Vec<String>> {
    match value.extract::<String>() {
        Ok(text) => Some(vec![text]),
        Err(_) => value.try_iter().ok()?.map(|item| item.ok()?.extract().ok()).collect(),
    }
}

/// Agents as given: one or several, each with commas between tokens if wanted; sets are replaced by their agents.
pub(crate) fn agents<'t>(typed: &'t [String], registry: &'t Registry) -> PyResult<Vec<&'t str>> {
    // In an identification string commas are part of it.
    let split = |text: &'t String| match text.contains('(') {
        true => vec![text.as_str()],
        false => text.split(',').map(str::trim).filter(|token| !token.is_empty()).collect(),
    };
    registry.expand(typed.iter().flat_map(split)).map_err(error::argument)
}

/// Who is asked for: agents as given, or each row's own.
pub(crate) fn asked(typed: &[String], has_column: bool, settings: &Settings) -> PyResult<Asked> {
    match (typed.is_empty(), has_column) {
        (true, true) => Ok(Asked::Column),
        (false, true) => Err(error::argument(
            "give agents=, or agent_column= where each row names its own; not both",
        )),
        (true, false) => Err(error::argument(
            "no agent is asked for: give agents=[\"GPTBot\"], or agent_column= where each row names its own",
        )),
        (false, false) => {
            Asked::parse(agents(typed, &settings.registry)?, settings).map_err(error::argument)
        }
    }
}
