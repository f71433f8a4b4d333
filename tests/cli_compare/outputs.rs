//! The file of differences: rows in the order of the inputs, the same whatever the threads, whole or not there.

use crate::cli::{Bench, Robots, robots, strings};
use crate::{adds_up, bench, compare};

const SIDES: &str = "--corpus robots.parquet --as-of latest --left rfc9309 --right google";

fn captures() -> Vec<Robots> {
    vec![robots("https://a.example", "User-agent: *\nDisallow: /~\n")]
}

/// Folders of rows in several files and row groups, every third of which differs.
fn many_rows() -> Bench {
    let bench = bench(&captures(), &[]);
    let groups = || {
        parquet::file::properties::WriterProperties::builder()
            .set_max_row_group_row_count(Some(100))
    };
    for file in ["d/a.parquet", "d/e/b.parquet", "d/f.parquet"] {
        let url = |row: usize| format!("https://a.example/{}{row}", ["%7E", "~", "x"][row % 3]);
        let urls: Vec<String> = (0..1_000).map(url).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        bench.parquet_with(file, vec![("url", strings(&urls))], groups());
    }
    bench
}

#[test]
fn several_inputs_become_one_file_in_their_order_whatever_the_threads() {
    let bench = many_rows();
    let octets = ["1", "2", "5"].map(|threads| {
        let run = compare(&bench, &format!("{SIDES} --agent GPTBot d --threads {threads} --json"));
        adds_up(&run.ends_with(0).json(), 1_002);
        bench.read("out.parquet")
    });
    assert!(octets[0] == octets[1] && octets[0] == octets[2]);
    let table = bench.table("out.parquet");
    let places = table.texts("robots_file").into_iter().zip(table.ints("robots_row"));
    let files = ["d/a.parquet", "d/e/b.parquet", "d/f.parquet"];
    let expected = files
        .iter()
        .flat_map(|file| (0..1_000).step_by(3).map(|row| (Some((*file).to_owned()), Some(row))));
    assert_eq!(places.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let left: Vec<String> = bench
        .listing("")
        .into_iter()
        .filter(|name| name.contains("part"))
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, Vec::<String>::new(), "nothing is left of the way");
}

#[test]
fn a_damaged_input_fails_or_is_left_out_whole() {
    let bench = many_rows();
    let mut octets = bench.read("d/e/b.parquet");
    let middle = octets.len() / 2;
    octets[middle..middle + 400].fill(0xA5);
    bench.write("d/e/b.parquet", octets);
    compare(&bench, &format!("{SIDES} --agent GPTBot d -q")).ends_with(4).says(&["b.parquet"]);
    assert!(!bench.exists("out.parquet"));
    let run =
        compare(&bench, &format!("{SIDES} --agent GPTBot d --on-error skip --json")).ends_with(3);
    adds_up(&run.json(), 668);
    assert_eq!(run.json()["skipped"].as_array().unwrap().len(), 1);
    let files = bench.table("out.parquet").texts("robots_file");
    assert!(files.iter().all(|file| file.as_deref() != Some("d/e/b.parquet")));
}

#[test]
fn outputs_that_are_inputs_or_folders_are_refused() {
    let bench = many_rows();
    let run = |output: &str, rows: &str| {
        let words = format!("compare {SIDES} --agent GPTBot -o {output} {rows}");
        bench.run(&words.split(' ').collect::<Vec<_>>())
    };
    run("d/f.parquet", "d").ends_with(2).says(&["is the input"]);
    run("d", "d/f.parquet").ends_with(2).says(&["no name for a file"]);
    run("out.parquet", "d/f.parquet d").ends_with(2).says(&["given twice"]);
    run("robots.parquet", "d/f.parquet").ends_with(2).says(&["belongs to the corpus"]);
    run("out.parquet", "nowhere").ends_with(2).says(&["no input found"]);
}

/// Columns of an `eval` row by row: allowed, basis, rule id, group.
type Verdict = (Option<bool>, Option<String>, Option<i64>, Option<String>);

fn verdicts(bench: &Bench, arguments: &str) -> Vec<Verdict> {
    let table = bench.verdicts(arguments);
    let texts = ["robots_basis", "robots_group"].map(|name| table.texts(name)).map(Vec::into_iter);
    let [bases, groups] = texts;
    let ids = table.ints("robots_rule_id").into_iter();
    let rows = table.allowed().into_iter().zip(bases).zip(ids).zip(groups);
    rows.map(|(((allowed, basis), id), group)| (allowed, basis, id, group)).collect()
}

#[test]
fn exactly_the_rows_that_eval_judges_differently_are_written() {
    let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/data/demo");
    let bench = Bench::new();
    let fixed = format!("--corpus {demo}/robots.jsonl {demo}/rows.parquet");
    for agents in ["--agent AI2Bot", "--agent-column agent", "--agent archive.org_bot/1.0"] {
        for (left, right) in [
            ("", "google"),
            ("--as-of latest", "latest,closed"),
            ("", "google,latest,fallback=documented"),
            ("--as-of row", "ever,scope=host"),
        ] {
            let of_left = verdicts(&bench, &format!("{fixed} {agents} {left}"));
            let mut flags = String::new();
            for word in right.split(',') {
                flags.push_str(&match word {
                    "google" => " --dialect google".to_owned(),
                    "closed" => " --policy closed".to_owned(),
                    "latest" | "ever" => format!(" --as-of {word}"),
                    other => format!(" --{other}"),
                });
            }
            let of_right = verdicts(&bench, &format!("{fixed} {agents} {flags}"));
            let time = if left.is_empty() { "row" } else { left.rsplit(' ').next().unwrap() };
            let run =
                compare(&bench, &format!("{fixed} {agents} --left {time} --right {right} --json"));
            let json = run.ends_with(0).json();
            let rows = of_left.iter().zip(&of_right).enumerate();
            let differing = rows.filter(|(_, (left, right))| left != right);
            let expected: Vec<_> =
                differing.map(|(row, (left, right))| (row, left.clone(), right.clone())).collect();
            let table = bench.table("out.parquet");
            adds_up(&json, expected.len());
            let side = |side: &str| -> Vec<Verdict> {
                let name = |column: &str| format!("robots_{column}_{side}");
                let allowed = table.bools(&name("allowed")).into_iter();
                let rest = table
                    .texts(&name("basis"))
                    .into_iter()
                    .zip(table.ints(&name("rule_id")))
                    .zip(table.texts(&name("group")));
                allowed
                    .zip(rest)
                    .map(|(allowed, ((basis, id), group))| (allowed, basis, id, group))
                    .collect()
            };
            let rows = table
                .ints("robots_row")
                .into_iter()
                .map(|row| usize::try_from(row.unwrap()).unwrap());
            let found: Vec<_> = rows
                .zip(side("left"))
                .zip(side("right"))
                .map(|((row, left), right)| (row, left, right))
                .collect();
            assert_eq!(found, expected, "{agents} {left} {right}");
            let clauses = table.texts("robots_clause");
            assert!(
                clauses.iter().all(Option::is_some),
                "{agents} {left} {right}: every difference has its clause"
            );
        }
    }
}
