//! Which rules an agent has to read: one test a line of the dialects' table, in both dialects.

mod dialects;

use dialects::*;
use robosift::evaluate::judge;
use robosift::parse::Dialect;

#[test]
fn user_agent_value_is_cut_at_the_first_octet_outside_a_token() {
    for value in
        ["FooBot", "FooBot/2.1", "FooBot 2", "FooBot (+x)", "FooBot*", "FooBot.", "FooBoté"]
    {
        let body = format!("User-agent: {value}\nDisallow: /\n");
        same(body.as_bytes(), b"/", denied_by(2));
    }
    same_for(b"User-agent: Foo_Bot-x/1\nDisallow: /", b"foo_bot-X", b"/", denied_by(2));
    same_for(b"User-agent: -\nDisallow: /", b"-", b"/", denied_by(2));
}

#[test]
fn user_agent_value_is_compared_for_equality_ignoring_ascii_case() {
    for value in ["FOOBOT", "foobot", "fOObOT/2"] {
        same(format!("User-agent: {value}\nDisallow: /").as_bytes(), b"/", denied_by(2));
    }
    for value in ["Foo", "FooBot-Image", "FooBots", "Foo-Bot", "FooBot_", "xFooBot", "Foo Bot", ""]
    {
        same(format!("User-agent: {value}\nDisallow: /").as_bytes(), b"/", NO_GROUP);
    }
    let kelvin = "User-agent: \u{212A}\nDisallow: /";
    same_for(kelvin.as_bytes(), b"k", b"/", NO_GROUP);
}

#[test]
fn a_version_given_with_the_asked_token_is_cut_in_rfc9309() {
    let body = b"User-agent: FooBot\nDisallow: /";
    check_url(body, b"FooBot/1.0", &url(b"/"), denied_by(2), NO_GROUP);
    check_url(body, b"foobot/", &url(b"/"), denied_by(2), NO_GROUP);
    check_url(body, b"FooBot", &url(b"/"), denied_by(2), denied_by(2));
    let body = b"User-agent: FooBot/1.0\nDisallow: /";
    check_url(body, b"FooBot/2.0", &url(b"/"), denied_by(2), NO_GROUP);
    let body = b"User-agent: *\nDisallow: /a\nUser-agent: FooBot\nDisallow: /b";
    check_url(body, b"FooBot/1.0", &url(b"/a"), NO_RULE, denied_by(2));
}

#[test]
fn names_with_other_octets_are_compared_whole_in_rfc9309_and_never_named_in_google() {
    for name in ["AI2Bot", "MJ12bot", "archive.org_bot", "Kangaroo Bot", "360Spider", "Bot\u{e9}"] {
        for suffix in ["", "/1.0", " (+https://x)", "(x)", " / x"] {
            let body = format!("User-agent: {name}{suffix}\nDisallow: /");
            let shouted = name.to_ascii_uppercase();
            for asked in [name, shouted.as_str()] {
                check_url(body.as_bytes(), asked.as_bytes(), &url(b"/"), denied_by(2), NO_GROUP);
            }
        }
    }
    for value in ["AI2", "AI2Bots", "AI2Bot-x", "AI2Bot x", "AI", "2Bot", "AI-2Bot", "AI2Bo"] {
        let body = format!("User-agent: {value}\nDisallow: /");
        same_for(body.as_bytes(), b"AI2Bot", b"/", NO_GROUP);
    }
    let body = b"User-agent: AI2Bot/9\nDisallow: /";
    check_url(body, b"AI2Bot/1.0", &url(b"/"), denied_by(2), NO_GROUP);
}

#[test]
fn a_line_for_a_name_with_other_octets_is_read_by_google_as_one_for_its_beginning() {
    let google = settings(Dialect::GOOGLE);
    let ask = |body: &[u8], agent: &[u8]| judge(body, agent, b"http://h.test/", &google);
    assert_eq!(ask(b"User-agent: AI2Bot\nDisallow: /", b"AI"), denied_by(2));
    assert_eq!(ask(b"User-agent: archive.org_bot\nDisallow: /", b"archive"), denied_by(2));
    assert_eq!(ask(b"User-agent: Kangaroo Bot\nDisallow: /", b"kangaroo"), denied_by(2));
    assert_eq!(ask(b"User-agent: 360Spider\nDisallow: /", b"Spider"), NO_GROUP);
}

#[test]
fn star_agent_is_a_star_alone_or_a_star_and_white_space_and_anything() {
    for value in ["*", " * ", "* x", "*\tx", "*\u{b}x", "*\u{c}", "* *", "* # x", "*#x"] {
        let body = format!("User-agent:{value}\nDisallow: /");
        same(body.as_bytes(), b"/", denied_by(2));
        same_for(body.as_bytes(), b"*", b"/", denied_by(2));
    }
    for value in ["**", "*x", "*/1", "*-", "x*", "\"*\"", "%2A", "*\u{a0}"] {
        let body = format!("User-agent: {value}\nDisallow: /");
        same(body.as_bytes(), b"/", NO_GROUP);
        same_for(body.as_bytes(), b"*", b"/", NO_GROUP);
    }
    let body = b"User-agent: FooBot\nDisallow: /a\nUser-agent: *\nDisallow: /b";
    same_for(body, b"*", b"/a", NO_RULE);
    same_for(body, b"*", b"/b", denied_by(4));
}

#[test]
fn a_stack_of_user_agent_lines_is_closed_by_allow_and_disallow_lines() {
    for rule in ["Disallow: /x", "Allow: /x", "Disallow: x", "Disallow /x", "Disalow: /x"] {
        let body = format!("User-agent: FooBot\n{rule}\nUser-agent: BarBot\nDisallow: /\n");
        same(body.as_bytes(), b"/", NO_RULE);
        same_for(body.as_bytes(), b"BarBot", b"/x", denied_by(4));
    }
    for rule in ["Disallow:", "Allow:", "Disallow: # all", "Allow:\t"] {
        let body = format!("User-agent: FooBot\n{rule}\nUser-agent: BarBot\nDisallow: /\n");
        same(body.as_bytes(), b"/", only_empty_rule(2));
        same_for(body.as_bytes(), b"BarBot", b"/", denied_by(4));
    }
}

#[test]
fn a_stack_of_user_agent_lines_is_closed_by_nothing_else() {
    let others = ["Sitemap: x", "Crawl-delay: 1", "", "# x", "Foo: bar", "junk", "Host: x", "\0"];
    for other in others {
        let body = format!("User-agent: FooBot\n{other}\nUser-agent: BarBot\nDisallow: /\n");
        same(body.as_bytes(), b"/", denied_by(4));
        same_for(body.as_bytes(), b"BarBot", b"/", denied_by(4));
        same_for(body.as_bytes(), b"Other", b"/", NO_GROUP);
    }
    let after = b"User-agent: FooBot\nDisallow: /a\n\nSitemap: x\n\nDisallow: /b\n";
    same(after, b"/b", denied_by(6));
    let before = b"Disallow: /\nUser-agent: FooBot\nDisallow: /a\n";
    same(before, b"/b", NO_RULE);
    same(b"Disallow: /\nAllow: /a\n", b"/b", NO_RULES);
}

#[test]
fn groups_of_the_same_token_are_merged() {
    let body = b"User-agent: FooBot\nDisallow: /a\n\nUser-agent: BarBot\nDisallow: /b\n\n\
        User-agent: foobot/2\nDisallow: /c\nAllow: /a\n";
    same(body, b"/c", denied_by(8));
    same(body, b"/b", NO_RULE);
    same(body, b"/a", allowed_by(9));
    same_for(body, b"BarBot", b"/c", NO_RULE);
    let stacked = b"User-agent: FooBot\nUser-agent: BarBot\nDisallow: /a\nUser-agent: BarBot\n\
        Disallow: /ab\nUser-agent: FooBot\nDisallow: /ac\n";
    same(stacked, b"/ac", denied_by(7));
    same(stacked, b"/ab", denied_by(3));
    same_for(stacked, b"BarBot", b"/ab", denied_by(5));
    let stars = b"User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: * y\n\
        Disallow: /c\n";
    same(stars, b"/a", denied_by(2));
    same(stars, b"/b", NO_RULE);
    same(stars, b"/c", denied_by(6));
}

#[test]
fn any_own_group_hides_the_star_group_even_an_empty_one() {
    same(b"User-agent: *\nDisallow: /\nUser-agent: FooBot\n", b"/", NO_RULE);
    same(b"User-agent: *\nDisallow: /\nUser-agent: FooBot\nSitemap: x\n", b"/", NO_RULE);
    same(b"User-agent: FooBot\nDisallow:\nUser-agent: *\nDisallow: /", b"/", only_empty_rule(2));
    same(b"User-agent: FooBot\nDisallow: x\nUser-agent: *\nDisallow: /", b"/", NO_RULE);
    same(b"User-agent: FooBot\nDisallow: /x\nUser-agent: *\nDisallow: /", b"/", NO_RULE);
    same(b"User-agent: FooBot\nUser-agent: *\nDisallow: /\n", b"/", denied_by(3));
    let body = b"User-agent: *\nDisallow: /\nUser-agent: FooBot\n";
    same_for(body, b"BarBot", b"/", denied_by(2));
    same(b"User-agent: *\nUser-agent: FooBot\n", b"/", NO_RULES);
}

#[test]
fn an_empty_agent_is_bad_in_rfc9309_and_compared_in_google() {
    let body = b"User-agent: *\nDisallow: /a\nUser-agent:\nDisallow: /b";
    check_url(body, b"", &url(b"/b"), BAD_AGENT, denied_by(4));
    check_url(body, b"", &url(b"/a"), BAD_AGENT, NO_RULE);
    check_url(b"User-agent: *\nDisallow: /a", b"", &url(b"/a"), BAD_AGENT, denied_by(2));
    check_url(b"", b"", &url(b"/robots.txt"), BAD_AGENT, NO_RULES);
}
