//! Real files: nothing fails, and what is said of their rules holds.

use std::fs::File;

use arrow::array::{Array, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::compile::{BodyLimit, compile};
use robosift::lint::{Code, Options, includes, lint};
use robosift::parse::Dialect;
use robosift::text::lines::lines;

use crate::shared_data::shared;

/// Of so many bodies, one is linted.
const ONE_IN: usize = 7;

fn bodies(name: &str) -> Option<Vec<Vec<u8>>> {
    let file = File::open(shared(name)?).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let mut bodies = Vec::new();
    for batch in reader {
        let batch = batch.unwrap();
        let column = cast(batch.column_by_name("body").unwrap(), &DataType::Binary).unwrap();
        let column = column.as_binary::<i32>();
        bodies.extend((0..column.len()).map(|row| column.value(row).to_vec()));
    }
    Some(bodies)
}

#[test]
fn real_files_are_linted() {
    let names = ["data/real_robots.parquet", "data/extra_gov_robots.parquet"];
    let (mut num_bodies, mut num_dead) = (0, 0);
    let mut seen = vec![false; Code::ALL.len()];
    for body in names.iter().filter_map(|name| bodies(name)).flatten().step_by(ONE_IN) {
        num_bodies += 1;
        let report = lint(&body, &Options { most_per_code: usize::MAX, ..Options::default() });
        let num_lines = lines(&body).count();
        for finding in &report.findings {
            assert!(usize::try_from(finding.line).unwrap() <= num_lines.max(1), "{finding:?}");
            seen[finding.code.index()] = true;
        }
        for code in Code::ALL {
            assert_eq!(report.hidden(*code), 0);
        }
        let dead = [Code::DuplicateRule, Code::ContradictingRule, Code::ShadowedRule];
        let program = compile(&body, &Dialect::RFC9309, BodyLimit::DEFAULT);
        let groups: Vec<_> = program.view().names().map(|(_, _, group)| group).collect();
        let groups = groups.into_iter().chain(program.wildcard());
        let rules: Vec<_> = groups.map(|group| program.group(group).rules()).collect();
        for finding in report.findings.iter().filter(|finding| dead.contains(&finding.code)) {
            for rules in &rules {
                let Some(at) = rules.iter().position(|rule| rule.line == finding.line) else {
                    continue;
                };
                let outranks = |rule: &robosift::compile::RuleProgram<'_>| {
                    includes(rule.pattern, rules[at].pattern)
                };
                assert!(rules[..at].iter().any(outranks), "{finding:?}");
            }
            num_dead += 1;
        }
    }
    if num_bodies > 0 {
        assert!(num_bodies > 2_500 && num_dead > 100, "{num_bodies} {num_dead}");
        assert!(seen.iter().filter(|seen| **seen).count() > 30);
    }
}
