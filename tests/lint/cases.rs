//! Bodies and what is found in them: what the page's examples leave open, and what must not be found.

use robosift::lint::{Options, lint};

/// Lines and codes of what is found, infos of names and of what is redundant left out.
fn found(body: &str) -> Vec<(u32, &'static str)> {
    let report = lint(body.as_bytes(), &Options::default());
    let findings = report.findings.iter().map(|finding| (finding.line, finding.code.id()));
    findings.filter(|(_, id)| !["RS217", "RS404"].contains(id)).collect()
}

const CASES: &[(&str, &[(u32, &str)])] = &[
    ("", &[]),
    ("# only a comment\n", &[(0, "RS009")]),
    ("User-agent: *\nDisallow:\n", &[]),
    ("User-agent: *\nAllow: /\n", &[]),
    ("\u{FEFF}User-agent: *\r\nDisallow: /x\r\n", &[(1, "RS003")]),
    ("User-agent: *\r\rDisallow: /x\n", &[(1, "RS006")]),
    // Keys.
    ("User_agent: *\nDisallow: /x\n", &[(1, "RS102"), (2, "RS201")]),
    ("User-agent: *\nDisallow: /x\nsitemap https://e.example/s.xml\n", &[(3, "RS104")]),
    ("User-agent: *\nDisallow: /x\nhttps://e.example/\n", &[(3, "RS105")]),
    ("User-agent: *\nDisallow /x y\nDisallow: /z\n", &[(2, "RS105")]),
    ("USER-AGENT : *\nDISALLOW : /x\n", &[]),
    ("User-agent: *\nDisallow: /x\nSite-map: https://e.example/\n", &[(3, "RS103")]),
    ("User-agent: *\nDisallow: /x\nContent-Signals: search=yes\n", &[(3, "RS102")]),
    ("User-agent: *\nDisallow: /allow:x\n", &[]),
    ("User-agent: *\nDisallow: / User-agent: a\n", &[(2, "RS107")]),
    // Groups.
    ("User-agent: GPTBot\nUser-agent: CCBot\n# a comment\nUser-agent: *\nDisallow: /x\n", &[]),
    ("User-agent: GPTBot\n\nUser-agent: CCBot\nDisallow: /x\n", &[(3, "RS203")]),
    ("User-agent: GPTBot\nDisallow: /x\n\nUser-agent: CCBot\n", &[(4, "RS202")]),
    ("User-agent: *\nDisallow: /\nAllow: /open\n", &[]),
    ("User-agent: GPTBot\nDisallow: /\n", &[]),
    ("User-agent: GPTBot\nUser-agent: gptbot\nDisallow: /x\n", &[(2, "RS204")]),
    // Agents.
    ("User-agent: Kangaroo Bot\nDisallow: /x\n", &[(1, "RS215")]),
    ("User-agent: Googlebot Bingbot\nDisallow: /x\n", &[(1, "RS212")]),
    ("User-agent: facebookexternalhit/*\nDisallow: /x\n", &[(1, "RS214")]),
    ("User-agent: * \nDisallow: /x\n", &[]),
    ("User-agent: * all\nDisallow: /x\n", &[(1, "RS213")]),
    ("User-agent: Googelbot\nDisallow: /x\n", &[(1, "RS216")]),
    ("User-agent: SemrushBot-SA\nUser-agent: aipbot\nDisallow: /x\n", &[]),
    // Patterns.
    ("User-agent: *\nDisallow: /*\nAllow: /*.css$\n", &[(2, "RS305")]),
    ("User-agent: *\nDisallow: *\nAllow: /a\n", &[]),
    ("User-agent: *\nDisallow: /x # why\nDisallow: /y#\n", &[(3, "RS307")]),
    ("User-agent: *\nDisallow: /administrators/\nDisallow: /wp-admin/\n", &[]),
    ("User-agent: *\nDisallow: /*.*/\nDisallow: /a.b?c[0]=1\n", &[]),
    // Records.
    ("User-agent: bingbot\nCrawl-delay: 1.5\nDisallow: /x\n", &[]),
    ("User-agent: *\nCrawl-delay: -1\nDisallow: /x\n", &[(2, "RS501"), (2, "RS502")]),
    ("User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nDisallow: /x\n", &[]),
    ("User-agent: *\nContent-Signal: /blog/ ai-train=no\nDisallow: /x\n", &[]),
    ("User-agent: *\nContent-Usage: /a train-ai=n, search=y;q=1\nDisallow: /x\n", &[]),
    ("User-agent: *\nContent-Usage: genai=n\nDisallow: /x\n", &[(2, "RS511")]),
    ("User-agent: *\nContent-Signal: ai-train\nDisallow: /x\n", &[(2, "RS512")]),
    ("License: https://e.example/l.xml\nUser-agent: *\nDisallow: /x\n", &[]),
    // Rules against each other.
    ("User-agent: *\nDisallow: /%7Ea\nDisallow: /~a\n", &[(3, "RS401")]),
    ("User-agent: *\nAllow: /a\nDisallow: /a*\n", &[(2, "RS402"), (3, "RS305")]),
    ("User-agent: *\nDisallow: /a/*.gif$\nDisallow: /a/\n", &[]),
    ("User-agent: *\nDisallow: *.gif\nDisallow: /*.gif\n", &[(2, "RS401")]),
];

#[test]
fn each_body_has_its_findings() {
    for (body, expected) in CASES {
        assert_eq!(found(body), *expected, "{body:?}");
    }
}

#[test]
fn the_two_dialects_compare_rules_each_in_its_way() {
    let body = b"User-agent: *\nDisallow: /%7Ea\nDisallow: /~a\n";
    let dialect = robosift::parse::Dialect::GOOGLE;
    let report = lint(body, &Options { dialect, ..Options::default() });
    assert_eq!(report.findings, [], "google decodes nothing: the rules differ");
}
