//! Instructive questions and all that is printed about them, kept in `tests/data/explain`.
//!
//! `ROBOSIFT_WRITE_GOLDEN=1` writes the files anew; read what changed before it is committed.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::cli::Bench;

const SHOP: &str = "\
# robots.txt of a shop
User-agent: *
Crawl-delay: 2
Disallow: /cgi-bin/

User-agent: GPTBot
User-agent: CCBot
Disallow: /private/
Disallow: /private/*
Allow: /private/press*
Disallow: /a%7Eb
Content-Signal: search=yes, ai-train=no

User-agent: Other-Bot
Disallow:

Sitemap: https://www.example.com/sitemap.xml
";

const TIES: &str = "\
User-agent: ExampleBot
Disallow: /page
Allow: /page
Allow: /pag*
Disallow: /

User-agent: OtherBot
Disallow: /x

User-agent: examplebot/2.0
Disallow: /shop
";

const INDEX: &str = "User-agent: *\nAllow: /docs/index.html\nDisallow: /docs/\n";

const OWN_EMPTY: &str = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\n";

const MANY_NAMES: &str = "\
User-agent: Examplebot-News
Disallow: /news/old

User-agent: AI2Bot
Disallow: /papers

User-agent: Examplebot
Disallow: /
";

const GOOGLE: &str = "\
User-agent: *
Disallow: /

User-agent: Googlebot
Disallow: /drafts/
";

const RESPONSE: &str = "\
HTTP/1.1 200 Connection established\r\n\r\n\
HTTP/1.1 301 Moved Permanently\r\nLocation: https://www.example.com/robots.txt\r\n\r\n\
HTTP/2 200 \r\ncontent-type: text/plain\r\n\r\n\
User-agent: *\nDisallow: /private\n";

/// A name, the arguments behind the URL and what stands in `robots.txt`.
const CASES: [(&str, &str, &str, &str); 17] = [
    (
        "longest_match",
        "https://www.example.com/private/press.html --agent GPTBot",
        "--robots",
        SHOP,
    ),
    ("wildcard", "https://www.example.com/cgi-bin/a --agent Bingbot", "--robots", SHOP),
    ("normalised", "https://www.example.com/%61~b --agent GPTBot", "--robots", SHOP),
    ("tie", "https://www.example.com/page --agent ExampleBot", "--robots", TIES),
    ("merged_groups", "https://www.example.com/shop/1 --agent ExampleBot", "--robots", TIES),
    ("own_empty_group", "https://www.example.com/a --agent GPTBot", "--robots", OWN_EMPTY),
    (
        "folder_of_index",
        "https://www.example.com/docs/ --agent CCBot --dialect google",
        "--robots",
        INDEX,
    ),
    ("robots_txt", "https://www.example.com/robots.txt --agent CCBot", "--robots", OWN_EMPTY),
    ("whole_name", "https://www.example.com/papers/1 --agent AI2Bot", "--robots", MANY_NAMES),
    ("no_group", "https://www.example.com/papers/1 --agent CCBot", "--robots", MANY_NAMES),
    (
        "fallback",
        "https://www.example.com/drafts/1 --agent Applebot --fallback documented",
        "--robots",
        GOOGLE,
    ),
    (
        "fallback_not_verified",
        "https://www.example.com/a --agent Google-InspectionTool --fallback documented",
        "--robots",
        GOOGLE,
    ),
    (
        "ignores_wildcard",
        "https://www.example.com/a --agent AdsBot-Google --fallback documented",
        "--robots",
        GOOGLE,
    ),
    ("redirected", "http://example.com/private/1 --agent CCBot", "--response", RESPONSE),
    ("bad_url", "www.example.com/a --agent CCBot", "--robots", SHOP),
    (
        "hostile",
        "https://www.example.com/x --agent CCBot",
        "--robots",
        "\u{feff}User-agent: *\u{1b}[31m\nDisallow: /\u{202e}txt.x\nDisallow: /x # <script>\0\nAllow: /\u{7}\n",
    ),
    (
        "closed",
        "https://www.example.com/a --agent CCBot --policy closed",
        "--response",
        "HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n<html>No</html>",
    ),
];

#[test]
fn explanations_are_as_they_were() {
    let bench = Bench::new();
    let mut wrong = String::new();
    for (name, question, flag, robots) in CASES {
        bench.write("robots.txt", robots);
        let words = format!("explain {question} {flag} robots.txt");
        compare(name, &bench, &words, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_readme_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let demo = root.join("data/demo/robots.jsonl");
    let url = "http://morningpost.example/press/bridge-copper";
    let run = Bench::new().run(&[
        "explain",
        url,
        "--agent",
        "GPTBot",
        "--corpus",
        demo.to_str().unwrap(),
    ]);
    let mut wrong = String::new();
    check("demo", run.code, &run.stdout, &mut wrong);
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(wrong.is_empty() && readme.contains(&run.stdout), "{wrong}{}", run.stdout);
}

#[test]
fn an_identification_string_is_known_by_the_first_of_its_names_that_the_body_has() {
    let bench = Bench::new();
    bench.write("robots.txt", MANY_NAMES);
    let agent = "Mozilla/5.0 (compatible; Examplebot-News/1.0; +https://example.com) Examplebot/2";
    let url = "https://www.example.com/a";
    let run = bench.run(&["explain", url, "--agent", agent, "--robots", "robots.txt"]);
    let mut wrong = String::new();
    check("identification_string", run.code, &run.stdout, &mut wrong);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn of_large_files_the_lines_that_matter_are_shown() {
    let bench = Bench::new();
    let mut robots = String::new();
    for number in 0..200 {
        writeln!(robots, "User-agent: Bot-{number}x\nDisallow: /{number}\n").unwrap();
    }
    robots.push_str("User-agent: GPTBot\n");
    for number in 0..200 {
        writeln!(robots, "Disallow: /shop/{number}/").unwrap();
    }
    bench.write("robots.txt", robots);
    let words = "explain https://www.example.com/shop/120/a --agent GPTBot --robots robots.txt";
    let mut wrong = String::new();
    compare("large", &bench, words, &mut wrong);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_corpus_without_texts_tells_what_its_programs_know() {
    let bench = Bench::new();
    let robots = crate::cli::robots("https://www.example.com", SHOP).hour(480_000);
    let nothing = crate::cli::capture("https://gone.example.com").status(404).hour(480_000);
    bench.robots("robots.parquet", &[robots, nothing]);
    bench.run(&["corpus", "build", "robots.parquet", "-o", "c", "--no-bodies", "-q"]).ends_with(0);
    let mut wrong = String::new();
    let ask =
        |url: &str, more: &str| format!("explain https://{url} --agent GPTBot --corpus c{more}");
    compare("without_texts", &bench, &ask("www.example.com/private/1", ""), &mut wrong);
    compare("unavailable", &bench, &ask("gone.example.com/1", ""), &mut wrong);
    compare("no_capture", &bench, &ask("www.example.com/1", " --at 2001-01-01"), &mut wrong);
    assert!(wrong.is_empty(), "{wrong}");
}

fn compare(name: &str, bench: &Bench, words: &str, wrong: &mut String) {
    let words: Vec<&str> = words.split(' ').collect();
    let run = bench.run(&words);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    check(name, run.code, &format!("{}{}", run.stdout, run.stderr), wrong);
}

fn check(name: &str, code: i32, said: &str, wrong: &mut String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/explain").join(name);
    let path = path.with_extension("txt");
    let found = format!("{said}exit code {code}\n");
    if std::env::var_os("ROBOSIFT_WRITE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(&path, &found).unwrap();
    }
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    if found != wanted {
        write!(wrong, "\n== {}: wanted\n{wanted}\n== found\n{found}", path.display()).unwrap();
    }
}
