//! What a literal rule's record keeps in few bits, where these do not suffice: how many wildcard rules
//! have better rank, and how many octets at its end are not compared.

mod both_matchers;

use both_matchers::DIALECTS;
use robosift::compile::{BodyLimit, FormChoice, NameKind, compile_in_form};
use robosift::matching::best;
use robosift::matching::naive::NaiveRobots;

/// Both matchers name the same lines, in each form.
fn lines(rules: &str, questions: &[(&str, u32)]) {
    let body = format!("User-agent: *\n{rules}").into_bytes();
    for (dialect, naive_dialect) in DIALECTS {
        let naive = NaiveRobots::parse(&body, naive_dialect);
        for form in [FormChoice::Measured, FormChoice::ForFew, FormChoice::ForMany] {
            let program = compile_in_form(&body, &dialect, BodyLimit::NONE, form);
            let group = program.find(NameKind::Token, b"bot").or_else(|| program.wildcard());
            for (path, line) in questions {
                let decided = group.and_then(|at| best(&program, at, path.as_bytes(), &mut ()));
                assert_eq!(decided.map_or(0, |rule| rule.line), *line, "{path} {form:?}");
                assert_eq!(naive.judge_path(b"bot", path.as_bytes()).rule_line, *line, "{path}");
            }
        }
    }
}

#[test]
fn more_wildcard_rules_than_a_record_counts_outrank_a_literal_rule() {
    let many: String = (0..66_000).map(|at| format!("Disallow: /*x{at:06}\n")).collect();
    let rules = format!("Disallow: /abc\nDisallow: /*b\nAllow: /*bcd\n{many}");
    lines(&rules, &[("/abc", 2), ("/abcd", 4), ("/xb", 3), ("/abc/x000007", 12), ("/a", 0)]);
}

#[test]
fn a_literal_rule_ends_with_more_stars_than_a_record_counts() {
    for stars in [1, 2, 254, 255, 256, 700] {
        let many = "*".repeat(stars);
        let rules = format!("Disallow: /abc{many}\nAllow: /*c/{}\n", "d".repeat(stars));
        let longer = format!("/abc/{}", "d".repeat(stars));
        // Of equal length, and allow wins.
        lines(&rules, &[("/abc", 2), ("/abc/d", if stars == 1 { 3 } else { 2 }), (&longer, 3)]);
        lines(&rules, &[("/ab", 0), ("/xc/", 0)]);
    }
}
