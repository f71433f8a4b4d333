//! `--html`: one page that tells all, and in which hostile bodies are text.

use crate::cli::Bench;

fn page(url: &str, agent: &str, robots: &[u8]) -> String {
    let bench = Bench::new();
    bench.write("robots.txt", robots);
    let run = bench.run(&[
        "explain",
        url,
        "--agent",
        agent,
        "--robots",
        "robots.txt",
        "--html",
        "page.html",
        "-q",
    ]);
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
    String::from_utf8(bench.read("page.html")).unwrap()
}

/// The names of all tags.
fn tags(page: &str) -> Vec<&str> {
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let behind = |at: &usize| !style.contains(at) || *at == style.start;
    let starts = page.match_indices('<').map(|(at, _)| at).filter(behind);
    let name = |at: usize| page[at + 1..].split(|c: char| " >\n".contains(c)).next().unwrap();
    starts.map(name).collect()
}

/// Every tag that the page may have.
const KNOWN: [&str; 36] = [
    "!doctype",
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "section",
    "h1",
    "h2",
    "h3",
    "p",
    "ul",
    "li",
    "a",
    "span",
    "dl",
    "dt",
    "dd",
    "code",
    "figure",
    "figcaption",
    "div",
    "mark",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "br",
    "b",
    "i",
];

#[test]
fn hostile_text_is_text() {
    let mut robots = b"User-agent: *\nDisallow: /\"><script>alert(1)</script>\n".to_vec();
    robots.extend_from_slice(
        b"Disallow: /x</code></mark></style><img src=x onerror=alert(1)>\0\xFF\xFE\n",
    );
    robots.extend_from_slice(
        b"Sitemap: javascript:alert('1')\nContent-Signal: <svg onload=alert(1)>&amp;\n",
    );
    let page = page("https://a.example.com/x'\"<b>", "<i>Bot\"", &robots);
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/');
        assert!(KNOWN.contains(&name) && !["b", "i"].contains(&name), "<{tag}> in {page}");
    }
    assert!(!page.contains('\0') && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("&lt;svg onload=alert(1)&gt;&amp;amp;"));
    assert!(page.contains("https://a.example.com/x&#39;&quot;&lt;b&gt;"));
    assert!(page.contains("&lt;i&gt;Bot&quot;"));
}

#[test]
fn the_page_forbids_itself_everything_but_its_style() {
    let page = page("https://a.example.com/x", "CCBot", b"User-agent: *\nDisallow: /x\n");
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'"));
    for word in ["<script", "src=", "url(", "@import", "http-equiv=\"refresh"] {
        assert!(!page.contains(word), "{word}");
    }
    for word in [
        "<mark>Disallow: /x</mark>",
        "badge disallowed",
        "prefers-color-scheme: dark",
        "line 2 decides",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn large_bodies_make_no_large_pages() {
    let mut robots = String::from("User-agent: *\n");
    (0..30_000).for_each(|at| robots.push_str(&format!("Disallow: /{at}\n")));
    let page = page("https://a.example.com/12345", "CCBot", robots.as_bytes());
    assert!(page.len() < 100_000, "{}", page.len());
    assert!(page.contains("<mark>Disallow: /12345</mark>") && page.contains("lines</span>"));
}

#[test]
fn a_pattern_of_half_a_million_octets_is_cut() {
    let path = "a".repeat(499_000);
    let robots = format!("User-agent: *\nDisallow: /{path}\nContent-Signal: {path}\n");
    let bench = Bench::new();
    bench.write("robots.txt", robots);
    // A URL as long as that is no argument of a process.
    let url = "https://a.example.com/b";
    let words = [
        "explain",
        url,
        "--agent",
        "a",
        "--robots",
        "robots.txt",
        "--body-limit",
        "0",
        "--html",
        "page.html",
    ];
    let run = bench.run(&words).ends_with(0);
    assert!(run.stdout.len() < 5_000 && run.stdout.contains("octets)"), "{}", run.stdout.len());
    assert!(bench.read("page.html").len() < 30_000);
}
