//! Instructive files and all that is printed about them: `tests/golden/lint/NAME.robots` and `NAME.txt`.
//!
//! `ROBOSIFT_REWRITE=1` writes the latter anew, to be read before they are kept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::Bench;

fn inputs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/lint");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "robots"));
    files.sort();
    files
}

#[test]
fn findings_are_shown_as_they_were_read_and_kept() {
    let rewrite = std::env::var_os("ROBOSIFT_REWRITE").is_some_and(|value| value == "1");
    let inputs = inputs();
    assert_eq!(inputs.len(), 12);
    for input in inputs {
        let bench = Bench::new();
        bench.write("robots.txt", fs::read(&input).unwrap());
        let run = bench.run(&["lint", "robots.txt"]);
        assert_eq!(run.stderr, "");
        let shown = format!("{}exit code {}\n", run.stdout, run.code);
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\0']), "{}", input.display());
        let output = input.with_extension("txt");
        if rewrite {
            fs::write(&output, &shown).unwrap();
        }
        let expected = fs::read_to_string(&output).unwrap_or_default();
        assert_eq!(shown, expected, "{}", input.display());
    }
}
