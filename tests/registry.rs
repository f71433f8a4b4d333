//! The registry: our data file, sets, a user's file on top of it, and what is wrong with one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

use std::collections::HashSet;
use std::path::Path;

use robosift::agents::registry::{
    Confidence, Honours, Members, Purpose, Registry, RegistryError, Status, names,
};
use robosift::agents::{Agent, AgentKind, NameRules};
use robosift::evaluate::{Asked, Settings};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/agents.toml");

fn with(text: &str) -> Result<Registry, RegistryError> {
    Registry::with_text(Path::new("own.toml"), text)
}

#[test]
fn our_file_can_be_read() {
    let registry = Registry::with_file(PATH).unwrap_or_else(|error| panic!("{error}"));
    let builtin = Registry::builtin();
    assert_eq!(registry.entries(), builtin.entries(), "its own entries replace each other");
    assert_eq!(registry.sets(), builtin.sets());
    assert!(builtin.entries().len() > 170, "{} entries", builtin.entries().len());
    assert_eq!(builtin.version(), "2026-11-30");
}

#[test]
fn entries_of_our_file_are_whole() {
    for entry in Registry::builtin().entries() {
        let token = &entry.token;
        for text in [&entry.operator, &entry.source, &entry.as_of] {
            assert!(!text.is_empty(), "{token}");
        }
        assert_eq!(entry.lookup_order.first(), Some(token));
        let known = |name: &str| Registry::builtin().find(name).is_some();
        assert!(entry.fallback_names().all(known), "{token} goes by agents that have entries");
        assert!(entry.names().all(|name| names().contains(&name)), "{token}");
    }
}

#[test]
fn facts_that_verdicts_rest_on() {
    let find = |name| Registry::builtin().find(name).unwrap();
    for (name, order) in [
        ("Googlebot-Image", &["Googlebot-Image", "Googlebot", "*"][..]),
        ("Googlebot-News", &["Googlebot-News", "Googlebot", "*"]),
        ("Googlebot-Video", &["Googlebot-Video", "Googlebot", "*"]),
        ("Applebot", &["Applebot", "Googlebot", "*"]),
        ("YandexBot", &["YandexBot", "Yandex", "*"]),
        ("AdsBot-Google", &["AdsBot-Google"]),
        ("GPTBot", &["GPTBot", "*"]),
    ] {
        assert_eq!(find(name).lookup_order, order);
    }
    let ignoring = ["AdsBot-Google", "AdsBot-Google-Mobile", "APIs-Google", "Mediapartners-Google"];
    assert!(ignoring.iter().all(|name| find(name).honours_wildcard == Some(false)));
    assert_eq!(find("__usage_ai-training").honours_wildcard, None);
    assert!(!find("Google-Extended").crawls && !find("Applebot-Extended").crawls);
    assert_eq!(find("anthropic-ai").status, Status::Legacy);
    assert_eq!(find("Googlebot").confidence, Confidence::Primary);
    assert_eq!(find("CCBot").also, [Purpose::Archive, Purpose::DataProvider]);
    assert_eq!(find("Google-GeminiNotebook").token, "Google-NotebookLM");
    assert_eq!(find("gptbot").token, "GPTBot");
}

#[test]
fn every_set_can_be_asked_for_side_by_side() {
    let registry = Registry::builtin();
    let mut names = HashSet::new();
    for set in registry.sets() {
        assert!(names.insert(&set.name) && !set.about.is_empty());
        let agents = registry.set(&format!("@{}", set.name)).unwrap();
        assert!(agents.len() >= 3, "@{}: {agents:?}", set.name);
        let is_known = |agent: &&str| *agent == "*" || registry.find(agent).is_some();
        assert!(agents.iter().all(is_known), "@{}: {agents:?}", set.name);
        let asked = Asked::parse(agents.iter().copied(), &Settings::default()).unwrap();
        assert_eq!(asked.agents().len(), agents.len(), "@{}: each once", set.name);
        asked.check_suffixes().unwrap_or_else(|error| panic!("@{}: {error}", set.name));
    }
}

#[test]
fn sets_by_purpose_hold_that_purpose() {
    let registry = Registry::builtin();
    for (set, purpose) in [
        ("ai-training", Purpose::Training),
        ("ai-search", Purpose::AiSearch),
        ("ai-user-fetch", Purpose::UserFetch),
        ("ai-assistant", Purpose::Assistant),
        ("ai-agent", Purpose::Agent),
        ("search", Purpose::Search),
        ("archive", Purpose::Archive),
        ("data-provider", Purpose::DataProvider),
        ("seo", Purpose::Seo),
    ] {
        let agents = registry.set(set).unwrap();
        let wanted = registry.entries().iter().filter(|entry| {
            let is_left_out =
                entry.status == Status::Proposed || entry.token == "FeedFetcher-Google";
            entry.purpose == purpose && !is_left_out
        });
        let wanted: Vec<_> = wanted.map(|entry| entry.token.as_str()).collect();
        assert_eq!(agents, wanted, "@{set}");
    }
    assert_eq!(
        registry.set("reuters-2024").unwrap(),
        ["GPTBot", "ChatGPT-User", "Google-Extended"]
    );
    assert!(registry.set("consent-in-crisis").unwrap().contains(&"*"));
    assert_eq!(registry.set("somesite-2025").unwrap().len(), 24);
    assert!(registry.set("nobody").is_none());
}

#[test]
fn sets_are_put_in_the_place_of_their_names() {
    let registry = with(concat!(
        "[[set]]\nname = \"mine\"\nagents = [\"FooBot\", \"*\", \"gptbot\"]\n",
        "[[set]]\nname = \"none\"\nagents = []\n"
    ))
    .unwrap();
    for (given, expanded) in [
        (&["GPTBot", "CCBot"][..], Some(&["GPTBot", "CCBot"][..])),
        (&["@mine"], Some(&["FooBot", "*", "gptbot"])),
        (&["@MINE", "GPTBot", "CCBot"], Some(&["FooBot", "*", "gptbot", "CCBot"])),
        (&["GPTBot", "@mine", "@mine"], Some(&["GPTBot", "FooBot", "*"])),
        (&["@none"], Some(&[])),
        (&["mine"], Some(&["mine"])),
        (&["@yours"], None),
        (&["@"], None),
    ] {
        let found = registry.expand(given.iter().copied()).ok();
        assert_eq!(found.as_deref(), expanded, "{given:?}");
    }
    let error = registry.expand(["GPTBot", "@yours"]).unwrap_err().to_string();
    for word in ["@yours", "@mine", "@ai-training", "@consent-in-crisis"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn a_file_of_ones_own_replaces_and_adds() {
    let registry = with(
        r#"
version = "7"
as_of = "2027-01-01"

[[agent]]
token = "gptbot"
operator = "Me"
purpose = "archive"
lookup_order = ["GPTBot", "CCBot"]
honours_wildcard = "no"
confidence = "primary"

[[agent]]
token = "FooBot"
aliases = ["Foo Bot", "Feedfetcher"]

[[set]]
name = "seo"
agents = ["FooBot", "UnheardOf"]

[[set]]
name = "foo"
purposes = ["undocumented", "archive"]
except = ["ia_archiver", "Claude-Web"]
"#,
    )
    .unwrap();
    let builtin = Registry::builtin();
    assert_eq!(registry.entries().len(), builtin.entries().len() + 1);
    let mine = registry.find("GPTBOT").unwrap();
    assert_eq!(
        (mine.operator.as_str(), mine.purpose, mine.as_of.as_str()),
        ("Me", Purpose::Archive, "2027-01-01")
    );
    assert_eq!(mine.fallback_names().collect::<Vec<_>>(), ["CCBot"]);
    assert_eq!(registry.entries()[0].token, "gptbot", "in the place of the one it replaces");
    let foo = registry.find("foo bot").unwrap();
    assert_eq!(
        (foo.operator.as_str(), foo.purpose, foo.honours_robots),
        ("unknown", Purpose::Undocumented, Honours::Unclear)
    );
    assert_eq!(
        (foo.confidence, foo.status, foo.crawls),
        (Confidence::Recalled, Status::Active, true)
    );
    assert_eq!(
        (&foo.lookup_order[..], foo.honours_wildcard),
        (&["FooBot".to_owned(), "*".to_owned()][..], Some(true))
    );
    assert_eq!(
        registry.find("feedfetcher").unwrap().token,
        "FooBot",
        "its aliases go before those of others"
    );
    assert_eq!(registry.set("seo").unwrap(), ["FooBot", "UnheardOf"]);
    assert!(!registry.set("ai-training").unwrap().contains(&"GPTBot"));
    let set = registry.set("foo").unwrap();
    assert!(set.contains(&"gptbot") && set.contains(&"FooBot") && !set.contains(&"Claude-Web"));
    let own = registry.sets().iter().find(|set| set.name == "foo").unwrap();
    assert!(matches!(&own.members, Members::ByPurpose { except, .. } if except.len() == 2));
    let of_foo: Vec<_> = registry.sets_of(foo).into_iter().map(|set| set.name.as_str()).collect();
    assert_eq!(of_foo, ["seo", "foo"]);
}

#[test]
fn versions_tell_files_apart() {
    let versions =
        ["", "# a\n", "version = \"7\"\n"].map(|text| with(text).unwrap().version().to_owned());
    assert!(versions.iter().all(|version| version.starts_with("2026-11-30+")), "{versions:?}");
    assert!(versions[2].starts_with("2026-11-30+7-"), "{versions:?}");
    assert_eq!(versions.iter().collect::<HashSet<_>>().len(), 3);
    assert_eq!(with("").unwrap().version(), with("").unwrap().version());
}

/// A file, the line that is named, and words of the message.
const BROKEN: &[(&str, Option<usize>, &[&str])] = &[
    ("[[agent]\n", Some(1), &[]),
    ("\n[[agent]]\ntoken = 1\n", Some(3), &["string"]),
    ("[[agent]]\noperator = \"x\"\n", Some(1), &["token"]),
    ("[[agent]]\ntoken = \"A\"\noperater = \"x\"\n", Some(3), &["operater", "operator"]),
    ("[[agent]]\ntoken = \"A\"\npurpose = \"fun\"\n", Some(3), &["fun", "ai-search"]),
    ("[[agent]]\ntoken = \"A\"\nhonours_wildcard = true\n", Some(3), &[]),
    ("[[agents]]\ntoken = \"A\"\n", Some(1), &["agents", "agent"]),
    ("[[agent]]\ntoken = \"\"\n", Some(2), &["product token"]),
    ("[[agent]]\ntoken = \"A/1.0\"\n", Some(2), &["A/1.0", "version"]),
    ("[[agent]]\ntoken = \"A\"\naliases = [\"(b)\"]\n", Some(2), &["(b)"]),
    ("[[agent]]\ntoken = \"A\"\naliases = [\" b\"]\n", Some(2), &["blanks"]),
    ("[[agent]]\ntoken = \"*\"\n", Some(2), &["`*`"]),
    ("[[agent]]\ntoken = \"A\"\n[[agent]]\ntoken = \"a\"\n", Some(4), &["twice"]),
    (
        "[[agent]]\ntoken = \"A\"\n[[agent]]\ntoken = \"B\"\naliases = [\"a\"]\n",
        Some(4),
        &["twice"],
    ),
    ("[[agent]]\ntoken = \"A\"\naliases = [\"GPTBot\"]\n", Some(2), &["GPTBot", "another agent"]),
    ("[[agent]]\ntoken = \"A\"\nlookup_order = [\"B\", \"*\"]\n", Some(2), &["begin with A"]),
    ("[[agent]]\ntoken = \"A\"\nlookup_order = []\n", Some(2), &["begin with A"]),
    ("[[agent]]\ntoken = \"A\"\nlookup_order = [\"*\", \"A\"]\n", Some(2), &["`*`"]),
    ("[[agent]]\ntoken = \"A\"\nlookup_order = [\"A\", \"B\"]\n", Some(2), &["honours_wildcard"]),
    (
        "[[agent]]\ntoken = \"A\"\nlookup_order = [\"A\", \"*\"]\nhonours_wildcard = \"no\"\n",
        Some(2),
        &["drop one"],
    ),
    ("[[set]]\nname = \"@x\"\nagents = []\n", Some(2), &["without the @"]),
    ("[[set]]\nname = \"x\"\n", Some(2), &["agents", "purposes"]),
    ("[[set]]\nname = \"x\"\nagents = [\"A\"]\npurposes = [\"seo\"]\n", Some(2), &["either"]),
    ("[[set]]\nname = \"x\"\nagents = [\"A\"]\nexcept = [\"A\"]\n", Some(2), &["either"]),
    ("[[set]]\nname = \"x\"\nagents = [\"@seo\"]\n", Some(2), &["@seo"]),
    (
        "[[set]]\nname = \"x\"\nagents = []\n[[set]]\nname = \"x\"\nagents = []\n",
        Some(5),
        &["second set"],
    ),
];

#[test]
fn a_broken_file_is_told_with_its_line() {
    for (text, line, words) in BROKEN {
        let error = with(text).err().unwrap_or_else(|| panic!("no error: {text}"));
        let message = error.to_string();
        assert_eq!(error.line(), *line, "{message}\n{text}");
        assert!(message.starts_with("own.toml, line "), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "{message}\n{text}");
    }
    let long: Vec<String> = (0..20).map(|n| format!("\"b{n}\"")).collect();
    let text =
        format!("[[agent]]\ntoken = \"A\"\nlookup_order = [\"A\", {}, \"*\"]\n", long.join(", "));
    assert!(with(&text).unwrap_err().to_string().contains("at most 16"));
    let lost = Registry::with_file("/nowhere/own.toml").unwrap_err();
    assert_eq!(lost.line(), None);
    assert!(lost.to_string().contains("/nowhere/own.toml"), "{lost}");
}

#[test]
fn hostile_files_are_read_in_time() {
    for text in [
        "[".repeat(1 << 20),
        "a.".repeat(1 << 18),
        format!("x = {}", "[".repeat(1 << 20)),
        format!("x = {}", "{a=".repeat(1 << 18)),
        format!("[[agent]]\ntoken = \"{}\"\n", "a".repeat(1 << 20)),
        "[[agent]]\n".repeat(1 << 14),
    ] {
        let start = std::time::Instant::now();
        let _ = with(&text);
        assert!(start.elapsed().as_secs() < 10, "{:?}", text.get(..20));
    }
}

#[test]
fn names_that_may_have_been_meant() {
    let near = |name| Registry::builtin().near(name);
    for (name, meant) in [
        ("GTPBot", "GPTBot"),
        ("yandexbott", "YandexBot"),
        ("Google-Extend", "Google-Extended"),
        ("kangaroobot", "Kangaroo Bot"),
        ("adsbot", "AdsBot-Google"),
    ] {
        assert!(near(name).contains(&meant), "{name}: {:?}", near(name));
    }
    for name in ["", "*", "zzzzzzzzzz", "x"] {
        assert_eq!(near(name), [""; 0], "{name}");
    }
    assert_eq!(near(&"b".repeat(1 << 20)), [""; 0]);
}

#[test]
fn an_agent_s_entry_is_that_of_its_first_name_that_has_one() {
    let rules = NameRules { cut_version: true, whole_names: true };
    for (text, token) in [
        ("GPTBot/1.2", Some("GPTBot")),
        (
            "Mozilla/5.0 (compatible; FooBot/1.0; YandexImages/3.0; Applebot/0.1)",
            Some("YandexImages"),
        ),
        ("kangaroo bot", Some("Kangaroo Bot")),
        ("FooBot", None),
        ("*", None),
        ("Mozilla/5.0 (X11)", None),
    ] {
        let agent = Agent::parse(text.as_bytes(), AgentKind::Auto, rules).unwrap();
        let entry = Registry::builtin().find_agent(&agent);
        assert_eq!(entry.map(|entry| entry.token.as_str()), token, "{text}");
    }
    let octets = Agent::parse(b"\xFF\xFE", AgentKind::Token, rules).unwrap();
    assert!(Registry::builtin().find_agent(&octets).is_none());
}
