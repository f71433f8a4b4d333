//! Agents: one, several, in a column, as tokens and as identification strings; wide and long.

use crate::cli::{Bench, optional, robots, strings};
use arrow::array::{ArrayRef, DictionaryArray};
use arrow::datatypes::Int32Type;
use std::sync::Arc;

const HEADER: &str = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";

fn bench(body: &str, urls: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[robots("https://www.example.com", body)]);
    bench.urls("rows.parquet", urls);
    bench
}

fn small() -> Bench {
    let body = "User-agent: GPTBot\nDisallow: /gpt\n\nUser-agent: CCBot\nDisallow: /cc\n\nUser-agent: *\nDisallow: /any\n";
    let urls = ["gpt", "cc", "any"].map(|path| format!("https://www.example.com/{path}"));
    bench(body, &urls.each_ref().map(String::as_str))
}

const FIXED: &str = "--corpus robots.parquet rows.parquet";

#[test]
fn several_agents_side_by_side_in_the_order_asked() {
    let table = small().verdicts(&format!("{FIXED} --agent Google-Extended,CCBot --agent GPTBot"));
    let families = ["google_extended", "ccbot", "gptbot"];
    let columns = ["allowed", "basis", "rule_id", "group"];
    let expected: Vec<String> = families
        .iter()
        .flat_map(|family| columns.map(|column| format!("robots_{column}_{family}")))
        .collect();
    assert_eq!(table.names(), expected);
    let verdicts = |family| table.bools(&format!("robots_allowed_{family}"));
    assert_eq!(verdicts("google_extended"), [Some(true), Some(true), Some(false)]);
    assert_eq!(verdicts("ccbot"), [Some(true), Some(false), Some(true)]);
    assert_eq!(verdicts("gptbot"), [Some(false), Some(true), Some(true)]);
    let groups = |family| table.texts(&format!("robots_group_{family}"))[0].clone().unwrap();
    assert_eq!(families.map(groups), ["wildcard", "named", "named"]);
}

#[test]
fn a_suffix_always_when_asked_for() {
    let table = small().verdicts(&format!("{FIXED} --agents GPTBot --suffix always"));
    let names = ["allowed", "basis", "rule_id", "group"].map(|c| format!("robots_{c}_gptbot"));
    assert_eq!(table.names(), names);
}

#[test]
fn agents_whose_suffixes_fold_together_are_refused() {
    let bench = small();
    let run = bench.eval(&format!("{FIXED} --agent my-bot,my_bot -o out.parquet")).ends_with(2);
    run.says(&["my_bot"]);
    assert!(!bench.exists("out.parquet"));
    bench.verdicts(&format!("{FIXED} --agent my-bot,my_bot --layout long"));
}

#[test]
fn long_layout_has_a_row_for_each_row_and_agent() {
    let table = small().verdicts(&format!("{FIXED} --agent GPTBot,CCBot --layout long"));
    assert_eq!(table.num_rows(), 6);
    let rows = table.ints("robots_row");
    assert_eq!(rows, [0, 0, 1, 1, 2, 2].map(Some));
    let agents = table.texts("robots_agent");
    let told: Vec<_> = agents.iter().map(|agent| agent.as_deref().unwrap()).collect();
    assert_eq!(told, ["GPTBot", "CCBot", "GPTBot", "CCBot", "GPTBot", "CCBot"]);
    let allowed = [false, true, true, false, true, true].map(Some);
    assert_eq!(table.allowed(), allowed);
    let names = table.names();
    for name in [
        "robots_row",
        "robots_agent",
        "robots_allowed",
        "robots_basis",
        "robots_rule_id",
        "robots_group",
    ] {
        assert!(names.iter().any(|found| found == name), "{name} among {names:?}");
    }
    assert_eq!(names.len(), 6);
}

#[test]
fn br222_several_agents_and_the_star_are_judged_alone() {
    let body = "User-agent: mybot\nDisallow: /a\n\nUser-agent: mybot-uk\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n";
    let urls = ["a", "b", "c"].map(|path| format!("https://www.example.com/{path}"));
    let bench = bench(body, &urls.each_ref().map(String::as_str));
    let table = bench.verdicts(&format!("{FIXED} --agent mybot,mybot-uk,*"));
    assert_eq!(table.bools("robots_allowed_mybot"), [false, true, true].map(Some));
    assert_eq!(table.bools("robots_allowed_mybot_uk"), [true, false, true].map(Some));
    let star = table.names().into_iter().rfind(|name| name.starts_with("robots_allowed_")).unwrap();
    assert_eq!(star, "robots_allowed__");
    assert_eq!(table.bools(&star), [true, true, false].map(Some));
    assert_eq!(table.texts("robots_group__")[2].as_deref(), Some("wildcard"));
}

#[test]
fn a_column_names_the_agent_of_each_row() {
    let bench = small();
    let agents = [
        Some("gptbot"),
        Some("GPTBot/1.2"),
        Some(HEADER),
        Some("CCBot"),
        Some("CCBot/2.0 (https://commoncrawl.org/faq/)"),
        None,
        Some(""),
        Some("*"),
        Some("Nobody"),
    ];
    let urls = ["gpt", "gpt", "gpt", "cc", "cc", "any", "any", "any", "any"];
    let urls = urls.map(|path| format!("https://www.example.com/{path}"));
    let urls: ArrayRef = strings(&urls.each_ref().map(String::as_str));
    let keys: DictionaryArray<Int32Type> = agents.into_iter().collect();
    let spellings: [ArrayRef; 2] = [optional(&agents), Arc::new(keys)];
    for spelling in spellings {
        bench.parquet("rows.parquet", vec![("url", urls.clone()), ("who", spelling)]);
        let table = bench.verdicts(&format!("{FIXED} --agent-column who --columns full"));
        let refused = Some(false);
        let verdicts = [refused, refused, refused, refused, refused, None, None, refused, refused];
        assert_eq!(table.allowed(), verdicts);
        assert_eq!(table.bases()[4..8], ["rule", "bad_agent", "bad_agent", "rule"]);
        let groups = table.texts("robots_group");
        let told: Vec<_> = groups.iter().map(|group| group.as_deref().unwrap_or("")).collect();
        let named = "named";
        let expected = [named, named, named, named, named, "", "", "wildcard", "wildcard"];
        assert_eq!(told, expected);
    }
}

#[test]
fn an_identification_string_may_be_asked_for() {
    let bench = small();
    let fixed = ["eval", "--corpus", "robots.parquet", "rows.parquet", "-o", "out.parquet"];
    bench.run(&[&fixed[..], &["--agent", HEADER]].concat()).ends_with(0);
    let table = bench.table("out.parquet");
    assert_eq!(table.allowed(), [Some(false), Some(true), Some(true)]);
    // Read as a token it names nobody: the octets outside a name end it at `Mozilla`.
    bench.run(&[&fixed[..], &["--agent", HEADER, "--agent-kind", "token"]].concat()).ends_with(0);
    assert_eq!(bench.table("out.parquet").allowed(), [Some(true), Some(true), Some(false)]);
}

#[test]
fn names_with_digits_count_whole_in_rfc9309_and_never_in_google() {
    let body = "User-agent: AI2Bot\nDisallow: /\n";
    let bench = bench(body, &["https://www.example.com/x"]);
    let run = bench.eval(&format!("{FIXED} --agent AI2Bot -o out.parquet")).ends_with(0);
    assert!(!run.stderr.contains("AI2Bot"), "{}", run.stderr);
    assert_eq!(bench.table("out.parquet").allowed(), [Some(false)]);
    let google = format!("{FIXED} --dialect google --agent AI2Bot -o out.parquet");
    let run = bench.eval(&google).ends_with(0);
    assert_eq!(run.stderr.matches("AI2Bot").count(), 1, "{}", run.stderr);
    assert_eq!(bench.table("out.parquet").allowed(), [Some(true)]);
    let quiet = bench.eval(&format!("{google} --quiet")).ends_with(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    // The rule is read as one for `AI`.
    let table = bench.verdicts(&format!("{FIXED} --dialect google --agent AI"));
    assert_eq!(table.allowed(), [Some(false)]);
}

#[test]
fn a_version_is_cut_in_rfc9309_and_kept_in_google() {
    let bench = small();
    let asked = format!("{FIXED} --agent GPTBot/1.2 --suffix always");
    let table = bench.verdicts(&asked);
    assert_eq!(table.bools("robots_allowed_gptbot"), [false, true, true].map(Some));
    let table = bench.verdicts(&format!("{asked} --dialect google"));
    let column = table.names().into_iter().find(|name| name.starts_with("robots_allowed")).unwrap();
    assert_eq!(table.bools(&column), [true, true, false].map(Some));
}

#[test]
fn the_same_agent_given_twice_is_asked_once() {
    let table = small().verdicts(&format!("{FIXED} --agent GPTBot,gptbot --agent GPTBOT"));
    assert_eq!(table.allowed(), [Some(false), Some(true), Some(true)]);
    assert_eq!(table.names().len(), 4);
}

#[test]
fn a_column_of_unnameable_agents_is_warned_of_once_an_agent_in_google() {
    let bench = bench("User-agent: AI2Bot\nDisallow: /\n", &[]);
    let urls = strings(&["https://www.example.com/x"; 3]);
    bench.parquet("rows.parquet", vec![("url", urls), ("agent", strings(&["AI2Bot"; 3]))]);
    let google = format!("{FIXED} --dialect google --agent-column agent -o out.parquet");
    let run = bench.eval(&google).ends_with(0);
    assert_eq!(bench.table("out.parquet").allowed(), [Some(true); 3]);
    assert_eq!(run.stderr.matches("AI2Bot").count(), 1, "{}", run.stderr);
}
