//! The plain matcher against every case of `data/cases`.

mod common;

use common::cases::{Case, load_all};
use robosift::matching::naive::{NaiveAnswer, NaiveDialect, judge};
use std::collections::HashSet;

/// 310 of our own and 102 after public reports.
const NUM_CASES: usize = 412;

#[test]
fn every_case_is_read_once() {
    let cases = load_all();
    let ids: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(cases.len(), NUM_CASES);
    assert_eq!(ids.len(), NUM_CASES, "an id occurs twice");
    let reported = cases.iter().filter(|case| case.report.is_some()).count();
    assert_eq!(reported, 102);
}

#[test]
fn google_answers_as_the_cases_say() {
    report(&load_all().iter().filter_map(google_mistake).collect::<Vec<_>>());
}

#[test]
fn rfc9309_answers_as_the_cases_say() {
    report(&load_all().iter().filter_map(rfc9309_mistake).collect::<Vec<_>>());
}

fn google_mistake(case: &Case) -> Option<String> {
    let answer = ask(case, NaiveDialect::Google);
    let told = (answer.allowed, answer.matching_line, answer.rule_line);
    let expected = (Some(case.google.allowed), case.google.line, case.google.rule_line);
    (told != expected || !is_coherent(&answer)).then(|| describe(case, &answer, &case.google))
}

fn rfc9309_mistake(case: &Case) -> Option<String> {
    let answer = ask(case, NaiveDialect::Rfc9309);
    let basis = case.rfc9309.basis.as_deref();
    let is_right = answer.allowed == case.rfc9309.allowed
        && basis.is_none_or(|basis| basis == answer.basis)
        && is_coherent(&answer);
    (!is_right).then(|| describe(case, &answer, &case.rfc9309))
}

fn ask(case: &Case, dialect: NaiveDialect) -> NaiveAnswer {
    judge(&case.robots, &case.agent, &case.url, dialect)
}

/// A rule that decides has a line and octets, and it is the best matching one; nothing else has.
fn is_coherent(answer: &NaiveAnswer) -> bool {
    if answer.basis == "rule" {
        answer.rule_line > 0
            && answer.specificity > 0
            && answer.matching_line == answer.rule_line
            && answer.allowed.is_some()
    } else {
        answer.rule_line == 0 && answer.specificity == 0 && answer.allowed != Some(false)
    }
}

fn describe(case: &Case, answer: &NaiveAnswer, expected: &dyn std::fmt::Debug) -> String {
    let Case { theme, id, why, .. } = case;
    format!("{theme}, {id} ({why}):\n  told {answer:?}\n  expected {expected:?}")
}

fn report(mistakes: &[String]) {
    assert!(mistakes.is_empty(), "{} cases:\n{}", mistakes.len(), mistakes.join("\n"));
}
