//! Every case of `data/cases` through the library, in both dialects.

mod common;

use common::cases::{Case, load_all};
use robosift::agents::AgentKind;
use robosift::evaluate::{Settings, judge};
use robosift::parse::Dialect;

fn settings(dialect: Dialect) -> Settings {
    Settings { dialect, agent_kind: AgentKind::Token, ..Settings::default() }
}

fn check_google(case: &Case, failures: &mut Vec<String>) {
    let verdict = judge(&case.robots, &case.agent, &case.url, &settings(Dialect::GOOGLE));
    let found = (verdict.allowed, verdict.matching_line, verdict.rule_line);
    let wanted = (Some(case.google.allowed), case.google.line, case.google.rule_line);
    if found != wanted {
        failures.push(format!("{} google: found {found:?}, wanted {wanted:?}", case.id));
    }
}

fn check_rfc9309(case: &Case, failures: &mut Vec<String>) {
    let verdict = judge(&case.robots, &case.agent, &case.url, &settings(Dialect::RFC9309));
    let wanted = (case.rfc9309.allowed, case.rfc9309.basis.as_deref());
    let basis = verdict.basis.name();
    if verdict.allowed != wanted.0 || wanted.1.is_some_and(|wanted| wanted != basis) {
        let found = (verdict.allowed, basis);
        failures.push(format!("{} rfc9309: found {found:?}, wanted {wanted:?}", case.id));
    }
}

#[test]
fn every_case_in_both_dialects() {
    let cases = load_all();
    assert_eq!(cases.len(), 412);
    let mut failures = Vec::new();
    for case in &cases {
        check_google(case, &mut failures);
        check_rfc9309(case, &mut failures);
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
