//! The crawl that all of these tests look into: twelve captures, nine origins and a redirect's target.

use sha2::{Digest, Sha256};

use crate::cli::{Bench, Run};

/// Two groups, a name with other octets, wildcards, an empty rule, two other records: 189 octets.
pub(crate) const SHOP: &str = "User-agent: GPTBot\nUser-agent: AI2Bot\nDisallow: /private/\nAllow: /private/*.html$\n\n\
    User-agent: *\nDisallow: /cart?*id=\nDisallow:\nCrawl-delay: 5\nSitemap: https://www.shop.example/sitemap.xml\n";
pub(crate) const CLOSED: &str = "User-agent: *\nDisallow: /\n";
pub(crate) const NOTHING: &str = "# nothing\n";

/// Number of captures that stand in the corpus, of origins, of distinct bodies.
pub(crate) const CAPTURES: u64 = 13;
pub(crate) const ORIGINS: u64 = 9;
pub(crate) const BODIES: u64 = 3;

/// A corpus `c` of the crawl.
pub(crate) fn bench() -> Bench {
    let bench = Bench::new();
    let captures = [
        r#""url": "https://www.shop.example/robots.txt", "fetch_time": "2024-05-01T12:00:00Z", "status": 200, "content_type": "text/plain", "body": SHOP"#,
        r#""url": "https://www.shop.example/robots.txt", "fetch_time": "2023-01-01T00:00:00Z", "status": 200, "body": CLOSED"#,
        r#""url": "https://www.shop.example/robots.txt", "fetch_time": "2024-05-01T13:00:00Z", "status": 503"#,
        r#""url": "http://www.shop.example/robots.txt", "fetch_time": "2024-05-01T12:15:00Z", "status": 301, "redirect": "https://www.shop.example/robots.txt""#,
        r#""url": "https://old.example/robots.txt", "fetch_time": null, "body": CLOSED"#,
        r#""url": "https://gone.example/robots.txt", "fetch_time": "2024-05-02", "status": 302, "redirect": "/robots2.txt""#,
        r#""url": "https://moved.example/robots.txt", "fetch_time": "2024-05-02", "status": 302, "redirect": "rules.txt""#,
        r#""url": "https://moved.example/rules.txt", "fetch_time": "2024-05-02T00:00:01Z", "status": 200, "body": NOTHING"#,
        r#""url": "https://down.example/robots.txt", "fetch_time": "2024-05-02", "status": 500, "body": CLOSED"#,
        r#""url": "https://none.example/robots.txt", "fetch_time": "2024-05-02", "status": 404"#,
        r#""url": "https://lost.example/robots.txt", "fetch_time": "2024-05-02", "status": 200, "body": null"#,
        r#""url": "https://odd.example/robots.txt", "fetch_time": "2024-05-02", "status": 200, "content_type": "text/html", "body": NOTHING"#,
        r#""url": "https://odd.example/robots.txt", "fetch_time": "2024-05-02", "status": 200, "body": SHOP"#,
        r#""url": "ftp://else.example/robots.txt", "fetch_time": "2024-05-02", "status": 200, "body": """#,
    ];
    let mut lines = captures.map(|capture| format!("{{{capture}}}\n")).concat();
    for (name, body) in [("SHOP", SHOP), ("CLOSED", CLOSED), ("NOTHING", NOTHING)] {
        lines = lines.replace(name, &serde_json::Value::from(body).to_string());
    }
    bench.write("crawl.jsonl", lines);
    run(&bench, "corpus build crawl.jsonl -o c -q").ends_with(0);
    bench
}

/// The binary with these arguments, split at blanks.
pub(crate) fn run(bench: &Bench, arguments: &str) -> Run {
    bench.run(&arguments.split_whitespace().collect::<Vec<_>>())
}

/// The digest of a body as commands print it.
pub(crate) fn digest(body: &str) -> String {
    Sha256::digest(body).iter().map(|octet| format!("{octet:02x}")).collect()
}
