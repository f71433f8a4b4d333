//! Holds the house: direction of imports, file length, who prints, names and heads of files.
//!
//! Reads `src/` as text, so it needs no build of what it judges. Every complaint is one line
//! `file:line: what is wrong; what to do`. Folders that do not exist yet are no complaint.

#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[path = "layers/source.rs"]
mod source;

use source::Source;

/// The one way through the house: a folder imports only from folders before it.
const LAYERS: &[&str] = &[
    "text", "table", "parse", "compile", "matching", "agents", "corpus", "evaluate", "stream",
    "lint", "explain", "diff", "job", "workload", "cli",
];

/// Folders and files that may import less than their place allows.
const NARROWER: &[(&str, &[&str], &str)] = &[
    ("matching/naive.rs", &[], "the naive matcher shares no code with what it checks"),
    ("stream/", &["table"], "the stream must not know robots"),
    (
        "lint/",
        &["text", "parse", "compile", "matching", "agents"],
        "lint reads one body and knows no batches",
    ),
    ("workload/", &["text", "table"], "made-up data must not depend on what is measured with it"),
];

/// Most lines of a source file.
const MAX_LINES: usize = 400;

/// The only file with `unsafe`: it maps files.
const UNSAFE_FILE: &str = "corpus/files/map.rs";

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "misc", "common"];

/// All source files, in the order of their paths.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, "", &mut paths);
    assert!(paths.contains(&"lib.rs".to_owned()), "src/lib.rs is missing");
    let read = |path: &String| Source::new(path, &fs::read_to_string(root.join(path)).unwrap());
    paths.iter().map(read).collect()
}

/// Paths of the `.rs` files below `folder`, relative to `root` and with `/`.
fn collect(root: &Path, folder: &str, paths: &mut Vec<String>) {
    let mut names: Vec<_> = fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in names {
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if root.join(&path).is_dir() {
            collect(root, &path, paths);
        } else if path.ends_with(".rs") {
            paths.push(path);
        }
    }
}

/// Fails with every complaint that `check` has about any file.
fn assert_house(check: impl Fn(&Source) -> Vec<String>) {
    let complaints: Vec<_> = sources().iter().flat_map(check).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Imports against the direction of the layers.
fn import_complaints(source: &Source) -> Vec<String> {
    let Some(folder) = source.folder() else { return Vec::new() };
    let Some(place) = LAYERS.iter().position(|layer| *layer == folder) else { return Vec::new() };
    let narrower = NARROWER.iter().find(|(path, ..)| source.path.starts_with(path));
    let mut complaints = Vec::new();
    for import in source.root_names() {
        let name = import.name.as_str();
        let what = match (LAYERS.iter().position(|layer| *layer == name), narrower) {
            (None, _) => format!(
                "imports crate::{name}, which is no folder of the list; name the folder that owns it"
            ),
            (_, Some((path, allowed, why))) => {
                if allowed.contains(&name) || (name == folder && path.ends_with('/')) {
                    continue;
                }
                format!("imports {name}/, but {path} may import only {allowed:?}: {why}")
            }
            (Some(other), None) if other > place => format!(
                "{folder}/ imports {name}/, which comes later; move the shared part to an earlier \
                 folder or hand the value in as an argument"
            ),
            _ => continue,
        };
        complaints.push(source.complaint(import.line, &what));
    }
    complaints
}

/// Printing and ending the process outside of the command line.
fn print_complaints(source: &Source) -> Vec<String> {
    if source.folder() == Some("cli") || source.path == "main.rs" {
        return Vec::new();
    }
    let what = "prints or ends the process; return the text or an error, cli/ prints it";
    let is_print = |at: &usize| {
        let is_macro = ["println", "print", "eprintln", "eprint", "dbg"]
            .iter()
            .any(|name| source.reads(*at, &[name, "!"]));
        let is_exit =
            ["exit", "abort"].iter().any(|name| source.reads(*at, &["process", "::", name]));
        is_macro || is_exit || source.reads(*at, &["process", "::", "{", "exit"])
    };
    let found = (0..source.tokens.len()).filter(is_print);
    found.map(|at| source.complaint(source.tokens[at].line, what)).collect()
}

/// `unsafe`, wherever it stands but in the one file that is there for it.
fn unsafe_complaints(source: &Source) -> Vec<String> {
    if source.path == UNSAFE_FILE {
        return Vec::new();
    }
    let what = "unsafe; write it in safe Rust, or bring the measurement that demands it";
    let found = source.tokens.iter().filter(|token| token.text == "unsafe");
    found.map(|token| source.complaint(token.line, what)).collect()
}

/// Files past the cap.
fn length_complaints(source: &Source) -> Vec<String> {
    let len = source.text.lines().count();
    let what = format!("{len} lines, at most {MAX_LINES}; split it by what its parts are about");
    if len > MAX_LINES { vec![source.complaint(MAX_LINES + 1, &what)] } else { Vec::new() }
}

/// Files that do not open with their purpose.
fn head_complaints(source: &Source) -> Vec<String> {
    let what = "no module head; open with //! lines: purpose, what enters, what leaves, cost";
    let has_head = source.text.starts_with("//!");
    if has_head { Vec::new() } else { vec![source.complaint(1, what)] }
}

/// Folders and files with names that say nothing.
fn name_complaints(source: &Source) -> Vec<String> {
    let what = "a name that says nothing; name it after what it holds";
    let parts: BTreeSet<_> = source.path.trim_end_matches(".rs").split('/').collect();
    let is_empty = EMPTY_NAMES.iter().any(|name| parts.contains(name));
    if is_empty { vec![source.complaint(1, what)] } else { Vec::new() }
}

/// Folders that the list does not know.
fn folder_complaints(source: &Source) -> Vec<String> {
    let what = "its folder is not in the list; add it to LAYERS in tests/layers.rs, after the \
                folders that it uses and before those that use it";
    let is_known = source.folder().is_none_or(|folder| LAYERS.contains(&folder));
    if is_known { Vec::new() } else { vec![source.complaint(1, what)] }
}

#[test]
fn folders_import_only_from_earlier_ones() {
    assert_house(import_complaints);
}

#[test]
fn every_folder_has_its_place_in_the_list() {
    assert_house(folder_complaints);
}

#[test]
fn no_file_is_longer_than_the_cap() {
    assert_house(length_complaints);
}

#[test]
fn only_the_command_line_prints() {
    assert_house(print_complaints);
}

#[test]
fn there_is_no_unsafe_code() {
    assert_house(unsafe_complaints);
}

#[test]
fn names_say_what_is_inside() {
    assert_house(name_complaints);
}

#[test]
fn every_file_opens_with_its_purpose() {
    assert_house(head_complaints);
}

/// Lines of the complaints that `check` has about a snippet at `path`.
fn complained_lines(check: fn(&Source) -> Vec<String>, path: &str, text: &str) -> Vec<usize> {
    let line = |complaint: String| {
        let rest = complaint.strip_prefix(&format!("src/{path}:")).unwrap().to_owned();
        rest.split(':').next().unwrap().parse().unwrap()
    };
    check(&Source::new(path, text)).into_iter().map(line).collect()
}

const SNIPPET: &str = r##"//! use crate::cli;
use crate::text::origin;
use crate::cli::run;
use crate::{compile::Program, evaluate::{self, Batch}, text};
use crate::{
    stream,
    // cli,
    parse::{a, b::{c, d}}, workload,
};
use super::super::corpus::Corpus;
use super::naive;
pub(crate) fn f(x: &'static str) -> crate::agents::Agent { x.crate_cli() }
/* crate::cli::x /* nested */ crate::cli::y */
const A: &str = "crate::cli::x \" crate::cli"; const B: char = '"'; const C: char = '\'';
const D: &str = r#"crate::cli "quoted" crate::cli"#; fn g<'a>(x: &'a str) { robosift::cli::run() }
pub(in crate::matching) use super::{super::cli as other, naive as twin};
use crate as all;
use crate::*;
mod inline { use super::super::text; use super::super::super::cli; }
use crate::Verdict;
"##;

#[test]
fn the_scanner_finds_imports_against_the_direction() {
    let lines = |path| complained_lines(import_complaints, path, SNIPPET);
    assert_eq!(lines("matching/scan.rs"), [3, 4, 6, 8, 10, 12, 15, 16, 17, 18, 19, 20]);
    assert_eq!(lines("cli/eval.rs"), [17, 18, 20], "names that no folder owns");
    assert_eq!(lines("lib.rs"), [], "the root is free");
    let super_path = "use super::table;\nuse super::super::x;\nuse super::stream::y;\n";
    let lines = |path| complained_lines(import_complaints, path, super_path);
    assert_eq!(lines("text/mod.rs"), [1, 2, 3]);
    assert_eq!(lines("text/origin.rs"), [2]);
    assert_eq!(lines("text/deep/mod.rs"), [2]);
    assert_eq!(lines("text/deep/origin.rs"), []);
}

#[test]
fn the_scanner_knows_the_narrower_places() {
    let text = "use crate::table;\nuse crate::text;\nuse crate::matching;\nuse crate::workload;\n";
    let lines = |path| complained_lines(import_complaints, path, text);
    assert_eq!(lines("matching/naive.rs"), [1, 2, 3, 4]);
    assert_eq!(lines("matching/scan.rs"), [4]);
    assert_eq!(lines("stream/write.rs"), [2, 3, 4]);
    assert_eq!(lines("workload/rows.rs"), [3]);
    assert_eq!(complained_lines(import_complaints, "stream/a.rs", "use crate::stream::b;"), []);
    let sibling = "use super::scan;\nuse crate::parse;";
    assert_eq!(complained_lines(import_complaints, "matching/naive.rs", sibling), [1, 2]);
}

#[test]
fn the_other_checks_find_what_they_are_for() {
    let text = "//! println!(\nfn f() { println!(\"x\"); }\n// dbg!(1)\nfn g() { std::process::exit(1) }\n\
                fn h() { unsafe { x() } } // unsafe\nconst X: &str = \"unsafe println!\";\n";
    assert_eq!(complained_lines(print_complaints, "text/a.rs", text), [2, 4]);
    assert_eq!(complained_lines(print_complaints, "cli/a.rs", text), []);
    assert_eq!(complained_lines(unsafe_complaints, "cli/a.rs", text), [5]);
    assert_eq!(complained_lines(unsafe_complaints, "corpus/files/map.rs", text), []);
    assert_eq!(complained_lines(unsafe_complaints, "corpus/map.rs", text), [5]);
    assert_eq!(complained_lines(head_complaints, "cli/a.rs", text), []);
    assert_eq!(complained_lines(head_complaints, "cli/a.rs", "use x;\n//! late"), [1]);
    assert_eq!(complained_lines(name_complaints, "text/helpers.rs", text), [1]);
    assert_eq!(complained_lines(name_complaints, "text/util/a.rs", text), [1]);
    assert_eq!(complained_lines(name_complaints, "text/utility.rs", text), []);
    assert_eq!(complained_lines(folder_complaints, "study/a.rs", text), [1]);
    assert_eq!(complained_lines(folder_complaints, "main.rs", text), []);
    assert_eq!(complained_lines(length_complaints, "text/a.rs", &"//! x\n".repeat(401)), [401]);
    assert_eq!(complained_lines(length_complaints, "text/a.rs", &"//! x\n".repeat(400)), []);
}
