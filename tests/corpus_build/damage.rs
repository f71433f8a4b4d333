//! A corpus with flipped bits or cut files: an error or the same verdicts, never a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use robosift::corpus::files::Folder;
use robosift::corpus::{Access, Corpus, CorpusError};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

use crate::cli::Bench;
use crate::made::{self, How, octets};
use crate::random::Random;

const DAMAGES: usize = 1_000;

/// Rows sorted by origin, and rows that jump from origin to origin: two ways through the evaluator.
fn rows() -> [ArrayRef; 2] {
    let paths = ["/", "/p1/x", "/%701/x", "/a.pdf"];
    let url = |row: usize| format!("https://h{}.example{}", row / 4, paths[row % 4]);
    let sorted: Vec<String> = (0..1_200).map(url).collect();
    let mixed: StringArray =
        (0..1_200).map(|row| Some(sorted[row * 457 % 1_200].as_str())).collect();
    [Arc::new(StringArray::from(sorted.clone())), Arc::new(mixed)]
}

/// What a corpus says: verdicts of every row, as a run would take them, and some texts.
#[derive(Debug, PartialEq)]
struct Said {
    verdicts: Vec<RecordBatch>,
    texts: Vec<Vec<u8>>,
}

fn ask(path: &Path, dialect: Dialect, rows: &[ArrayRef], full: bool) -> Result<Said, CorpusError> {
    let corpus = Corpus::open(path, &dialect)?;
    let settings = Settings { dialect, ..Settings::default() };
    let asked = Asked::parse(["GPTBot", "CCBot"], &settings).unwrap();
    let columns = if full { VerdictColumn::parse_list("full").unwrap() } else { standard() };
    let suffix = Suffix::Auto;
    let evaluator =
        Evaluator::try_new(&corpus, settings, asked, &columns, Layout::Wide, suffix).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let mut verdicts = Vec::new();
    for urls in rows {
        let rows = RowColumns::try_new(urls, None, None).unwrap();
        match evaluator.evaluate(&rows, 0, &mut scratch, &mut tally) {
            Ok(batch) => verdicts.push(batch),
            Err(error) => {
                corpus.check()?;
                panic!("{error}, and no damage was noted");
            }
        }
    }
    let sites = corpus.origins().step_by(17);
    let sites: Vec<_> =
        sites.map(|origin| corpus.latest(origin, &robosift::corpus::Policy::RFC9309)).collect();
    let mut texts = Vec::new();
    for site in sites {
        if let Access::Rules(body) = site.access {
            texts.push(corpus.text(body)?);
        }
    }
    corpus.check()?;
    Ok(Said { verdicts, texts })
}

fn standard() -> Vec<VerdictColumn> {
    VerdictColumn::STANDARD.to_vec()
}

/// A corpus whose larger tables have several blocks of checksums.
fn build(bench: &Bench) -> PathBuf {
    let sources = made::write_sources(bench, "s", 2, 600);
    let folder = bench.path("corpus");
    made::build(&folder, &sources, How::default());
    folder
}

/// Flips a bit of a file or cuts it; says what was done.
fn harm(path: &Path, intact: &[u8], random: &mut Random) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    let at = random.below(intact.len());
    if random.one_in(6) {
        fs::write(path, &intact[..at]).unwrap();
        return format!("{name} cut at {at} of {}", intact.len());
    }
    let mut octets = intact.to_vec();
    let bit = random.below(8);
    octets[at] ^= 1 << bit;
    fs::write(path, octets).unwrap();
    format!("{name}, octet {at} of {}, bit {bit}", intact.len())
}

#[test]
fn a_thousand_damages_give_errors_or_the_same_verdicts_and_verifying_sees_each() {
    let bench = Bench::new();
    let folder = build(&bench);
    let rows = rows();
    let dialects = [Dialect::RFC9309, Dialect::GOOGLE];
    let kinds = [(0, false), (0, true), (1, false), (1, true)];
    let intact = kinds.map(|(at, full)| ask(&folder, dialects[at], &rows, full).unwrap());
    assert!(intact[0].texts.len() > 10 && intact[0] != intact[2]);
    let files = octets(&folder);
    let damaged: Vec<(&String, &Vec<u8>)> =
        files.iter().filter(|(_, file)| !file.is_empty()).collect();
    assert!(damaged.iter().any(|(name, _)| name.ends_with(".sums")), "one block is too few");
    let mut random = Random::new(11);
    let (mut errors, mut same) = (0, 0);
    for _ in 0..DAMAGES {
        let (name, file) = random.pick(&damaged);
        let path = folder.join(name);
        let what = harm(&path, file, &mut random);
        let kind = random.below(kinds.len());
        let (at, full) = kinds[kind];
        match ask(&folder, dialects[at], &rows, full) {
            Err(error) => {
                errors += 1;
                assert!(error.to_string().contains("corpus"), "{what}: {error}");
            }
            Ok(said) => {
                same += 1;
                assert!(said == intact[kind], "other verdicts: {what}");
            }
        }
        let verified = Folder::open(&folder).and_then(|folder| folder.verify());
        assert!(verified.is_err(), "not seen: {what}");
        fs::write(&path, file).unwrap();
    }
    println!("{errors} errors, {same} times the same verdicts");
    assert!(errors > DAMAGES / 3 && same > 10, "{errors} errors, {same} times the same verdicts");
    let verified = Folder::open(&folder).and_then(|folder| folder.verify());
    verified.unwrap();
}

/// The binary writes no verdicts that rest on damage: no output, exit code 4.
#[test]
fn verdicts_do_not_leave_when_damage_was_met() {
    let bench = Bench::new();
    let folder = build(&bench);
    made::write_rows(&bench, "rows.parquet", 600);
    let eval = "--corpus corpus --agent GPTBot,CCBot rows.parquet -o out.parquet --threads 2";
    bench.eval(eval).ends_with(0);
    let expected = bench.read("out.parquet");
    let mut refused = Vec::new();
    for (name, file) in octets(&folder).into_iter().filter(|(_, file)| !file.is_empty()) {
        fs::remove_file(bench.path("out.parquet")).unwrap_or_default();
        // The middle of a table is rows, its end the footer.
        let mut damaged = file.clone();
        damaged[file.len() / 2] ^= 4;
        fs::write(folder.join(&name), damaged).unwrap();
        let run = bench.eval(eval);
        match run.code {
            0 => assert!(bench.read("out.parquet") == expected, "{name}"),
            _ => {
                let run = run.ends_with(4).says(&["damaged"]);
                assert!(run.stderr.contains(&format!("corpus/{name}")), "{}", run.stderr);
                assert!(!bench.listing("").iter().any(|file| file.starts_with("out")), "{name}");
                refused.push(name.clone());
            }
        }
        bench.run(&["corpus", "info", "corpus", "--verify"]).ends_with(4).says(&[&name, "damaged"]);
        fs::write(folder.join(&name), file).unwrap();
    }
    for name in ["captures.arrow", "index.arrow", "manifest.json", "origins.arrow"] {
        assert!(refused.iter().any(|refused| refused == name), "{name} is not among {refused:?}");
    }
    assert!(refused.contains(&"programs.arrow".to_owned()), "{refused:?}");
    bench.run(&["corpus", "info", "corpus", "--verify"]).ends_with(0);
}

/// A damaged corpus is neither merged nor exported.
#[test]
fn nothing_is_made_of_a_damaged_corpus() {
    let bench = Bench::new();
    let folder = build(&bench);
    for (name, command) in [
        ("captures.arrow", "corpus merge corpus -o out"),
        ("texts.arrow", "corpus merge corpus -o out"),
        ("captures.arrow", "corpus captures corpus -o out"),
        ("texts.arrow", "corpus records corpus -o out"),
        ("rules.parquet", "corpus rules corpus -o out"),
        ("texts.arrow", "eval --corpus corpus --body-limit 9 --agent X rows.parquet -o out"),
    ] {
        made::write_rows(&bench, "rows.parquet", 10);
        let file = fs::read(folder.join(name)).unwrap();
        let mut damaged = file.clone();
        damaged[file.len() / 2] ^= 1;
        fs::write(folder.join(name), damaged).unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        bench.run(&words).ends_with(4).says(&[name, "damaged"]);
        assert!(!bench.exists("out"), "{command}");
        fs::remove_dir_all(bench.path("out.partial")).unwrap_or_default();
        fs::write(folder.join(name), file).unwrap();
    }
}
