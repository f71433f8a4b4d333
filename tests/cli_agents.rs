//! `robosift agents`, and sets, registries and fallbacks in `robosift eval`: the real binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

use cli::{Bench, robots};

const FIXED: &str = "--corpus robots.parquet rows.parquet";

const OWN: &str = r#"
[[agent]]
token = "FooBot"
operator = "Foo"
purpose = "training"
lookup_order = ["FooBot", "BarBot", "*"]

[[set]]
name = "mine"
about = "Agents of mine"
agents = ["FooBot", "GPTBot", "archive.org_bot", "*"]
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    let body = "User-agent: Googlebot\nUser-agent: BarBot\nDisallow: /g\n\nUser-agent: archive.org_bot\nDisallow: /arc\n\nUser-agent: *\nDisallow: /any\n";
    bench.robots("robots.parquet", &[robots("https://www.example.com", body)]);
    bench.urls(
        "rows.parquet",
        &["g", "arc", "any"]
            .map(|path| format!("https://www.example.com/{path}"))
            .each_ref()
            .map(String::as_str),
    );
    bench.write("own.toml", OWN);
    bench
}

#[test]
fn agents_are_listed_by_set_with_confidence_marked() {
    let bench = bench();
    let all = bench.run(&["agents", "list"]).ends_with(0);
    for word in
        ["GPTBot", "@ai-training", "@consent-in-crisis", "registry 2026-11-30", "list-only ?"]
    {
        assert!(all.stdout.contains(word), "{word}: {}", all.stdout);
    }
    let set = bench.run(&["agents", "list", "@reuters-2024"]).ends_with(0).stdout;
    let lines: Vec<&str> = set.lines().collect();
    assert!(lines[0].starts_with("agent "), "{set}");
    for (line, agent) in lines[1..].iter().zip(["GPTBot ", "ChatGPT-User ", "Google-Extended "]) {
        assert!(line.starts_with(agent), "{set}");
    }
    assert!(
        !set.contains('?') && !set.contains("@"),
        "all of it is verified, no other sets: {set}"
    );
    let unknown = bench.run(&["agents", "list", "@nobody"]).ends_with(2);
    unknown.says(&["@nobody", "@ai-search", "@somesite-2025"]);
}

#[test]
fn lists_are_told_as_json_too() {
    let bench = bench();
    let run =
        bench.run(&["agents", "list", "@mine", "--registry", "own.toml", "--json"]).ends_with(0);
    let json = run.json();
    let tokens: Vec<&str> =
        json["agents"].as_array().unwrap().iter().map(|a| a["token"].as_str().unwrap()).collect();
    assert_eq!(tokens, ["FooBot", "GPTBot", "archive.org_bot", "*"]);
    assert_eq!(json["agents"][0]["operator"], "Foo");
    assert_eq!(json["agents"][0]["verified"], false);
    assert_eq!(json["sets"].as_array().unwrap().len(), 1);
    assert_eq!(json["sets"][0]["about"], "Agents of mine");
    let version = json["registry"].as_str().unwrap();
    assert!(version.starts_with("2026-11-30+"), "{version}");
    let all = bench.run(&["agents", "list", "--json"]).ends_with(0).json();
    assert!(all["agents"].as_array().unwrap().len() > 170);
    assert!(all["sets"].as_array().unwrap().len() >= 16);
}

#[test]
fn one_agent_is_shown_with_its_lookup_order() {
    let bench = bench();
    for (token, words) in [
        (
            "googlebot-news",
            &["Googlebot-News, Googlebot, *", "else that of Googlebot, else that of *", "@search"]
                [..],
        ),
        ("AdsBot-Google", &["* never applies", "may-ignore"]),
        ("GPTBot", &["as RFC 9309 says", "@ai-training, @consent-in-crisis"]),
        ("CCBot", &["training, also archive, data-provider", "primary"]),
        ("NotebookLM", &["Google-NotebookLM", "Google-GeminiNotebook"]),
        ("Google-Extended", &["a control token"]),
        ("__usage_ai-training", &["proposed", "not known"]),
        ("YandexDirect", &["recalled ?"]),
    ] {
        let shown = bench.run(&["agents", "show", token]).ends_with(0).stdout;
        assert!(words.iter().all(|word| shown.contains(word)), "{token}: {shown}");
        assert!(shown.starts_with("token "), "{shown}");
    }
    let json = bench.run(&["agents", "show", "Applebot", "--json"]).ends_with(0).json();
    assert_eq!(json["lookup_order"], serde_json::json!(["Applebot", "Googlebot", "*"]));
    assert_eq!(json["sets"], serde_json::json!(["@search", "@somesite-2025"]));
    assert_eq!(json["honours_wildcard"], true);
    assert_eq!(json["confidence"], "primary");
    let unknown = bench.run(&["agents", "show", "GTPBot"]).ends_with(2);
    assert_eq!(unknown.stdout, "");
    unknown.says(&["GTPBot", "did you mean GPTBot"]);
    for (header, token) in [
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
            "GPTBot",
        ),
        ("CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"),
        ("ccbot/2.0", "CCBot"),
        ("rogerbot/1.2 (https://moz.com/help/guides/moz-procedures/what-is-rogerbot)", "rogerbot"),
    ] {
        let json = bench.run(&["agents", "show", header, "--json"]).ends_with(0).json();
        assert_eq!(json["token"], token, "{header}");
    }
    let own = [
        "agents",
        "show",
        "FooBot/1.0 (+https://foo.example/bot)",
        "--registry",
        "own.toml",
        "--json",
    ];
    assert_eq!(bench.run(&own).ends_with(0).json()["operator"], "Foo");
    let browser = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0";
    bench.run(&["agents", "show", browser]).ends_with(2).says(&["not in the registry"]);
    bench.run(&["agents", "show", "zzzzzzzz"]).ends_with(2).says(&["agents list"]);
}

#[test]
fn a_set_is_asked_for_in_its_order() {
    let bench = bench();
    let asked = "--agents @mine,gptbot --agent CCBot --registry own.toml --columns robots_allowed";
    let table = bench.verdicts(&format!("{FIXED} {asked}"));
    let columns = ["foobot", "gptbot", "archive_org_bot", "_", "ccbot"];
    assert_eq!(table.names(), columns.map(|agent| format!("robots_allowed_{agent}")));
    let no_any = [true, true, false].map(Some);
    assert_eq!(table.bools("robots_allowed_foobot"), no_any);
    assert_eq!(table.bools("robots_allowed_archive_org_bot"), [true, false, true].map(Some));
    assert_eq!(table.bools("robots_allowed__"), no_any);
    let value = |key: &str| {
        let found = table.metadata.iter().find(|(known, _)| known == &format!("robosift.{key}"));
        found.unwrap().1.clone()
    };
    assert_eq!(value("agents"), "FooBot\nGPTBot\narchive.org_bot\n*\nCCBot");
    assert_eq!(value("fallback"), "none");
    assert!(value("registry").starts_with("2026-11-30+"));
    assert!(value("command").contains("--agent @mine,gptbot --agent CCBot --registry own.toml"));
    let wide = bench.verdicts(&format!("{FIXED} --agent @ai-training --columns robots_allowed"));
    assert!(wide.names().len() > 25);
    let run = bench.eval(&format!("{FIXED} --agent GPTBot,@mien -o no.parquet")).ends_with(2);
    run.says(&["@mien", "@ai-training"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn every_agent_of_a_set_is_in_the_summary() {
    let bench = bench();
    let run =
        bench.eval(&format!("{FIXED} --agent @ai-training,@ai-agent -o out.parquet")).ends_with(0);
    assert!(run.stdout.contains("GPTBot") && run.stdout.contains("TwinAgent"), "{}", run.stdout);
    assert!(!run.stdout.contains("further agents"), "{}", run.stdout);
}

#[test]
fn fallbacks_are_applied_shown_and_recorded() {
    let bench = bench();
    let agents = "Googlebot-News,AdsBot-Google,FooBot,GPTBot,YandexDirect";
    let asked = format!(
        "{FIXED} --agent {agents} --registry own.toml --columns full --fallback documented"
    );
    let run = bench.eval(&format!("{asked} -o out.parquet")).ends_with(0);
    let table = bench.table("out.parquet");
    for (agent, allowed, group, token) in [
        ("googlebot_news", [false, true, true], Some("fallback"), Some("googlebot")),
        ("adsbot_google", [true, true, true], None, None),
        ("foobot", [false, true, true], Some("fallback"), Some("barbot")),
        ("gptbot", [true, true, false], Some("wildcard"), Some("*")),
        ("yandexdirect", [true, true, true], None, None),
    ] {
        assert_eq!(table.bools(&format!("robots_allowed_{agent}")), allowed.map(Some), "{agent}");
        assert_eq!(table.texts(&format!("robots_group_{agent}"))[0].as_deref(), group, "{agent}");
        assert_eq!(table.texts(&format!("robots_token_{agent}"))[0].as_deref(), token, "{agent}");
    }
    assert_eq!(table.texts("robots_basis_adsbot_google")[0].as_deref(), Some("no_group"));
    let kind = table.metadata.iter().find(|(key, _)| key == "robosift.fallback").unwrap();
    assert_eq!(kind.1, "documented");
    for line in [
        "  AdsBot-Google: its own group, else no rules: * is ignored\n",
        "  FooBot: its own group, else that of BarBot, else that of * (recalled: not verified)\n",
        "  Googlebot-News: its own group, else that of Googlebot, else that of *\n",
        "  YandexDirect: its own group, else no rules: * is ignored (recalled: not verified)\n",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("GPTBot:"), "{}", run.stdout);
    let json = bench.eval(&format!("{asked} -o out.parquet --json")).ends_with(0).json();
    assert_eq!(json["fallback"]["kind"], "documented");
    let told = json["fallback"]["agents"].as_array().unwrap();
    assert_eq!(told.len(), 4);
    assert_eq!(told[2]["fallback"], serde_json::json!(["Googlebot"]));
    assert_eq!((&told[2]["verified"], &told[3]["verified"]), (&true.into(), &false.into()));
}

#[test]
fn without_a_fallback_nothing_of_it_is_said_or_done() {
    let bench = bench();
    let run = bench.eval(&format!("{FIXED} --agent AdsBot-Google -o out.parquet")).ends_with(0);
    assert!(!run.stdout.contains("fallback"), "{}", run.stdout);
    assert_eq!(bench.table("out.parquet").allowed(), [true, true, false].map(Some));
    let json =
        bench.eval(&format!("{FIXED} --agent GPTBot -o out.parquet --json")).ends_with(0).json();
    assert_eq!(json["fallback"]["kind"], "none");
    let run = bench.eval(&format!("{FIXED} --agent GPTBot --fallback documented -o out.parquet"));
    assert!(run.ends_with(0).stdout.contains("for none of these agents"));
}

#[test]
fn an_agent_column_goes_by_fallbacks_as_well() {
    let bench = bench();
    let urls = cli::strings(&["https://www.example.com/g"; 3]);
    let agents = cli::strings(&["Googlebot-News", "AdsBot-Google", "GPTBot"]);
    bench.parquet("rows.parquet", vec![("url", urls), ("agent", agents)]);
    let asked = format!("{FIXED} --agent-column agent --fallback documented -o out.parquet");
    let run = bench.eval(&asked).ends_with(0);
    let table = bench.table("out.parquet");
    assert_eq!(table.allowed(), [false, true, true].map(Some));
    let groups = table.texts("robots_group");
    assert_eq!(groups, [Some("fallback".to_owned()), None, Some("wildcard".to_owned())]);
    assert!(
        run.stdout.contains("Googlebot-News: its own group, else that of Googlebot"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_registry_file_that_is_broken_or_lost_is_told() {
    let bench = bench();
    bench.write("bad.toml", "[[agent]]\ntoken = \"A\"\npurpose = \"fun\"\n");
    let run =
        bench.eval(&format!("{FIXED} --agent A --registry bad.toml -o no.parquet")).ends_with(2);
    run.says(&["bad.toml, line 3", "fun", "training"]);
    bench.run(&["agents", "list", "--registry", "lost.toml"]).ends_with(2).says(&["lost.toml"]);
    bench.write("octets.toml", b"\xFF\xFE");
    bench
        .run(&["agents", "show", "GPTBot", "--registry", "octets.toml"])
        .ends_with(2)
        .says(&["octets.toml"]);
    assert!(!bench.exists("no.parquet"));
}

/// What was judged by another registry is not taken for finished.
#[test]
fn a_changed_registry_is_noticed_when_a_run_is_taken_up_again() {
    let bench = bench();
    let asked =
        format!("{FIXED} --agent FooBot --registry own.toml --fallback documented -o out.parquet");
    bench.eval(&asked).ends_with(0);
    bench.eval(&format!("{asked} --resume")).ends_with(0);
    bench.write("own.toml", OWN.replace("\"BarBot\", ", ""));
    let run = bench.eval(&format!("{asked} --resume"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["out.parquet"]);
}
