//! What of a URL is matched: one test a line of the dialects' table, in both dialects.

mod dialects;

use dialects::*;

/// Denies `/y`, `/;`, `/?` and what follows them.
const BODY: &[u8] = b"User-agent: *\nDisallow: /y\nDisallow: /;\nDisallow: /?\n";

#[track_caller]
fn ask(url: &[u8], rfc9309: robosift::evaluate::Verdict, google: robosift::evaluate::Verdict) {
    check_url(BODY, AGENT, url, rfc9309, google);
}

#[test]
fn robots_txt_is_always_allowed_in_rfc9309() {
    let body = b"User-agent: *\nDisallow: /";
    differ(body, b"/robots.txt", ROBOTS_TXT, denied_by(2));
    differ(body, b"/robots.txt#x", ROBOTS_TXT, denied_by(2));
    differ(b"", b"/robots.txt", ROBOTS_TXT, NO_RULES);
    let named = b"User-agent: FooBot\nDisallow: /robots.txt\nAllow: /robots.txt";
    differ(named, b"/robots.txt", ROBOTS_TXT, allowed_by(3));
    for path in ["/robots.txt?", "/robots.txt?a", "/ROBOTS.TXT", "/a/robots.txt", "/robots.txt/"] {
        same(body, path.as_bytes(), denied_by(2));
    }
    for path in ["/robots.tx", "//robots.txt", "/robots.txt2", "/?/robots.txt", "/;/robots.txt"] {
        same(body, path.as_bytes(), denied_by(2));
    }
}

#[test]
fn path_starts_after_the_authority_in_rfc9309_and_at_slash_question_or_semicolon_in_google() {
    ask(b"http://h.test/y", denied_by(2), denied_by(2));
    ask(b"HTTPS://H.TEST:8443/y", denied_by(2), denied_by(2));
    ask(b"http://h.test;x/y", denied_by(2), denied_by(3));
    ask(b"http://user:word@h.test/y", denied_by(2), denied_by(2));
    ask(b"http://u;ser@h.test/y", denied_by(2), denied_by(3));
    ask(b"http://h.test?x/y", denied_by(4), denied_by(4));
    ask(b"http://[::1]/y", denied_by(2), denied_by(2));
    ask(b"http://u/y@h.test/z", denied_by(2), denied_by(2));
}

#[test]
fn path_of_what_is_no_absolute_url_is_found_by_google_alone() {
    ask(b"//x/y", BAD_URL, denied_by(2));
    ask(b"//y", BAD_URL, NO_RULE);
    ask(b"///y", BAD_URL, denied_by(2));
    ask(b"/y", BAD_URL, denied_by(2));
    ask(b"x/y", BAD_URL, denied_by(2));
    ask(b"http:/y", BAD_URL, denied_by(2));
    ask(b"/y://x/z", BAD_URL, denied_by(2));
    ask(b"/a://x/y", BAD_URL, NO_RULE);
    ask(b"?x", BAD_URL, denied_by(4));
}

#[test]
fn fragment_is_dropped() {
    let body = b"User-agent: *\nDisallow: /y$\nDisallow: /*#\nDisallow: /z%23";
    same(body, b"/y#z", denied_by(2));
    same(body, b"/y#", denied_by(2));
    same(body, b"/y#a#b", denied_by(2));
    same(body, b"#/y", denied_by(3));
    same(body, b"/z%23", denied_by(4));
    let body = b"User-agent: *\nDisallow: /*?a$";
    same(body, b"/y?a#b", denied_by(2));
    same(body, b"/y#?a", NO_RULE);
}

#[test]
fn nul_in_a_url_is_an_octet_in_rfc9309_and_the_end_in_google() {
    let body = b"User-agent: *\nDisallow: /y$\nDisallow: /*z";
    differ(body, b"/y\0", NO_RULE, denied_by(2));
    differ(body, b"/y\0b", NO_RULE, denied_by(2));
    differ(body, b"/b\0z", denied_by(3), NO_RULE);
    differ(body, b"/y\0z", denied_by(3), denied_by(2));
    same(body, b"/z\0", denied_by(3));
    let long = b"User-agent: *\nDisallow: /yyyy";
    differ(long, b"/yy\0\0", NO_RULE, NO_RULE);
    differ(long, b"/yyyy\0", denied_by(2), denied_by(2));
}

#[test]
fn a_url_that_is_not_absolute_http_with_a_host_is_an_error_in_rfc9309_alone() {
    ask(b"", BAD_URL, NO_RULE);
    ask(b"ftp://h.test/y", BAD_URL, denied_by(2));
    ask(b"http:///y", BAD_URL, denied_by(2));
    ask(b"http://?x", BAD_URL, denied_by(4));
    ask(b"http://", BAD_URL, NO_RULE);
    ask(b"https://#y", BAD_URL, NO_RULE);
    ask(b"h.test/y", BAD_URL, denied_by(2));
    ask(b"mailto:y", BAD_URL, NO_RULE);
    ask(b" http://h.test/y", BAD_URL, denied_by(2));
    ask(b"http//h.test/y", BAD_URL, NO_RULE);
    ask(b"http://user@/y", BAD_URL, denied_by(2));
    ask(b"http://:80/y", BAD_URL, denied_by(2));
    ask(b"http://h.test:99999/y", BAD_URL, denied_by(2));
    ask(b"http://h test/y", BAD_URL, denied_by(2));
    check_url(b"", b"", b"/y", BAD_URL, NO_RULES);
}

#[test]
fn a_url_without_path_is_asked_for_slash() {
    let body = b"User-agent: *\nDisallow: /$\nDisallow: /?";
    for (tail, wanted) in [
        ("", denied_by(2)),
        ("/", denied_by(2)),
        ("#x", denied_by(2)),
        ("?", denied_by(3)),
        ("?x", denied_by(3)),
        (":80", denied_by(2)),
        ("/x", NO_RULE),
    ] {
        same(body, tail.as_bytes(), wanted);
    }
}

#[test]
fn query_is_part_of_what_is_matched() {
    let body = b"User-agent: *\nDisallow: /*?id=\nDisallow: /a$\nDisallow: /b?\n";
    same(body, b"/x?id=1", denied_by(2));
    same(body, b"/x?y=/z?id=1", denied_by(2));
    same(body, b"/x?x&id=1", NO_RULE);
    same(body, b"/a?", NO_RULE);
    same(body, b"/b", NO_RULE);
    same(body, b"/b?", denied_by(4));
    same(body, b"/b%3F", NO_RULE);
}
