//! Google's C++ as people call it: from Python, through its bindings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::File;
use crate::measure::{Reads, agreement};
use crate::median::median;
use crate::table::Line;
use crate::w1::AGENTS;

/// A binding: what google.py calls it, its line in the table, and whether its C++ is Google's as it is.
struct Binding {
    module: &'static str,
    name: &'static str,
    is_original: bool,
}

const BINDINGS: [Binding; 2] = [
    Binding {
        module: "jwm.robotstxt",
        name: "Google's C++, jwm.robotstxt 1.0.8 (pybind11)",
        is_original: true,
    },
    Binding {
        module: "fast-robotstxt",
        name: "Google's C++, fast-robotstxt 1.1.0 (a fork, ctypes)",
        is_original: false,
    },
];

/// Runs all bindings over all rows; says so where one is not installed.
///
/// # Panics
/// Where Google's matcher as it is and `right` disagree about a row.
pub(crate) fn measure(python: &Path, files: &[File], right: &[bool], runs: usize) -> Vec<Line> {
    let folder = std::env::temp_dir().join(format!("robosift-peers-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let rows = folder.join("rows");
    fs::write(&rows, export(files)).unwrap();
    let lines = BINDINGS.iter().filter_map(|binding| {
        let line = run(binding, python, &rows, right, runs);
        if line.is_none() {
            println!("{}: skipped, its Python did not run", binding.name);
        }
        line
    });
    let lines = lines.collect();
    fs::remove_dir_all(&folder).unwrap();
    lines
}

/// Files as google.py reads them: each length as four octets, little-endian.
fn export(files: &[File]) -> Vec<u8> {
    let mut out = Vec::new();
    let number = |number: usize, out: &mut Vec<u8>| {
        out.extend(u32::try_from(number).unwrap().to_le_bytes());
    };
    for file in files {
        number(file.body.len(), &mut out);
        out.extend(&file.body);
        number(file.urls.len(), &mut out);
        for url in &file.urls {
            number(url.len(), &mut out);
            out.extend(url);
        }
    }
    out
}

fn run(binding: &Binding, python: &Path, rows: &Path, right: &[bool], runs: usize) -> Option<Line> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("google.py");
    let verdicts: PathBuf = rows.with_extension("verdicts");
    let output = Command::new(python)
        .args([&script, rows, &verdicts])
        .args([binding.module, &runs.to_string()])
        .args(AGENTS)
        .output()
        .ok()?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let seconds: Vec<f64> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().unwrap()).collect();
    // 0: disallowed, 1: allowed, 2: it raised an error.
    let verdicts: Vec<Option<bool>> = fs::read(verdicts)
        .unwrap()
        .iter()
        .map(|octet| (*octet < 2).then_some(*octet == 1))
        .collect();
    let agreement = agreement(&verdicts, right);
    assert_eq!(verdicts.len(), right.len());
    assert!(!binding.is_original || agreement == 1.0, "robosift is not exact: {agreement}");
    Some(Line {
        name: binding.name.to_owned(),
        reads: Reads::PerQuestion,
        takes_paths: false,
        runs: seconds.len(),
        nanos: median(seconds) * 1e9 / right.len() as f64,
        megabytes: None,
        agreement,
        panics: verdicts.iter().filter(|verdict| verdict.is_none()).count(),
    })
}
