//! Reads the cases of `data/cases/*.toml`; the format is described in the README beside them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// One question with its answers in both dialects.
pub struct Case {
    /// Unique among all files.
    pub id: String,
    /// The file's name without its ending.
    pub theme: String,
    pub robots: Vec<u8>,
    /// A token.
    pub agent: Vec<u8>,
    pub url: Vec<u8>,
    pub google: GoogleAnswer,
    pub rfc9309: RfcAnswer,
    /// What the case shows.
    pub why: String,
    /// Link to a public report.
    pub report: Option<String>,
}

/// What Google's matcher answers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoogleAnswer {
    pub allowed: bool,
    /// Raw matching line, an empty pattern included; 0 when none.
    pub line: u32,
    /// Line of the deciding rule; 0 when none.
    pub rule_line: u32,
}

/// What dialect rfc9309 decides.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RfcAnswer {
    /// `None`: there is no verdict.
    pub allowed: Option<bool>,
    /// Given where there is no verdict.
    pub basis: Option<String>,
}

/// Every case of every file, files in order of their names.
pub fn load_all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files.iter().flat_map(|path| load(path)).collect()
}

fn load(path: &Path) -> Vec<Case> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: CaseFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let theme = path.file_stem().unwrap().to_string_lossy().into_owned();
    file.case.into_iter().map(|written| written.into_case(&theme)).collect()
}

/// A file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<WrittenCase>,
}

/// A case as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    id: String,
    robots: Option<Text>,
    robots_b64: Option<String>,
    agent: Text,
    url: Text,
    google: GoogleAnswer,
    rfc9309: RfcAnswer,
    why: String,
    report: Option<String>,
}

/// A text, whole or as parts put together.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Plain(String),
    Repeated {
        /// `{n}` in it counts from 0.
        repeat: String,
        times: usize,
    },
}

impl WrittenCase {
    fn into_case(self, theme: &str) -> Case {
        let robots = match (&self.robots, &self.robots_b64) {
            (Some(text), None) => text.octets(),
            (None, Some(base64)) => STANDARD.decode(base64).unwrap(),
            _ => panic!("{theme}, {}: give robots or robots_b64", self.id),
        };
        let has_verdict = self.rfc9309.allowed.is_some();
        assert!(has_verdict || self.rfc9309.basis.is_some(), "{theme}, {}: no basis", self.id);
        Case {
            theme: theme.to_owned(),
            robots,
            agent: self.agent.octets(),
            url: self.url.octets(),
            id: self.id,
            google: self.google,
            rfc9309: self.rfc9309,
            why: self.why,
            report: self.report,
        }
    }
}

impl Text {
    fn octets(&self) -> Vec<u8> {
        match self {
            Text::Whole(text) => text.clone().into_bytes(),
            Text::Parts(parts) => parts.iter().map(Part::text).collect::<String>().into_bytes(),
        }
    }
}

impl Part {
    fn text(&self) -> String {
        match self {
            Part::Plain(text) => text.clone(),
            Part::Repeated { repeat, times } => {
                (0..*times).map(|n| repeat.replace("{n}", &n.to_string())).collect()
            }
        }
    }
}
