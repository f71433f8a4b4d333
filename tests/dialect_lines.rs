//! How a body is cut into lines, and a line into key and value: one test a line of the dialects'
//! table, in both dialects.

mod dialects;

use dialects::*;

#[test]
fn line_ends_cr_lf_crlf_each_end_one_line() {
    for end in ["\r", "\n", "\r\n"] {
        let body = format!("User-agent: *{end}Disallow: /a{end}{end}Disallow: /b{end}");
        same(body.as_bytes(), b"/a", denied_by(2));
        same(body.as_bytes(), b"/b", denied_by(4));
    }
    same(b"User-agent: *\n\rDisallow: /b", b"/b", denied_by(3));
    same(b"User-agent: *\r\r\nDisallow: /b", b"/b", denied_by(3));
    same(b"User-agent: *\r\n\r\nDisallow: /b", b"/b", denied_by(3));
    same(b"\n\r\n\rUser-agent: *\nDisallow: /b", b"/b", denied_by(5));
    same(b"User-agent: *\nDisallow: /b", b"/b", denied_by(2));
}

#[test]
fn line_ends_other_than_cr_and_lf_do_not_end_a_line() {
    for octets in [&b"\x0B"[..], b"\x0C", b"\x85", b"\x1E", b"\xE2\x80\xA8", b"\\n"] {
        let body = [b"User-agent: *\nDisallow: /a", octets, b"Disallow: /b\n"].concat();
        same(&body, b"/b", NO_RULE);
    }
}

#[test]
fn line_numbers_count_cr_nul_lf_as_two_lines() {
    same(b"User-agent: *\r\0\nDisallow: /b", b"/b", denied_by(3));
    same(b"User-agent: *\r\n\0\r\nDisallow: /b", b"/b", denied_by(3));
    same(b"\r\0\n\r\0\nUser-agent: *\r\nDisallow: /b", b"/b", denied_by(6));
    same(b"User-agent: *\r \nDisallow: /b", b"/b", denied_by(3));
}

#[test]
fn bom_also_a_partial_one_is_skipped() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF"] {
        same(&[mark, b"User-agent: *\nDisallow: /"].concat(), b"/a", denied_by(2));
        same(&[mark, b"\nUser-agent: *\nDisallow: /"].concat(), b"/a", denied_by(3));
        same(mark, b"/a", NO_RULES);
    }
    for octets in [&b"\xBB\xBF"[..], b"\xBF", b"\xEF\xBF", b"\xEF\xBB\xBF\xEF\xBB\xBF", b"\xFE"] {
        same(&[octets, b"User-agent: *\nDisallow: /"].concat(), b"/a", NO_RULES);
    }
    same(b"\n\xEF\xBB\xBFUser-agent: *\nDisallow: /", b"/a", NO_RULES);
    same(b" \xEF\xBB\xBFUser-agent: *\nDisallow: /", b"/a", NO_RULES);
}

#[test]
fn nul_ends_the_lines_content() {
    same(&body_of(b"Disallow: /a\0b"), b"/ax", denied_by(2));
    same(&body_of(b"Disallow: /a\0"), b"/a", denied_by(2));
    same(&body_of(b"Disallow: /a \0 b"), b"/a", denied_by(2));
    same(&body_of(b"Disallow: \0/a"), b"/a", only_empty_rule(2));
    same(&body_of(b"Disallow\0: /a"), b"/a", NO_RULES);
    same(&body_of(b"\0Disallow: /a"), b"/a", NO_RULES);
    same(&body_of(b"Disallow: /x\0\nDisallow: /b"), b"/b", denied_by(3));
    same(b"User-agent: Foo\0Bot\nDisallow: /", b"/", NO_GROUP);
    same_for(b"User-agent: Foo\0Bot\nDisallow: /", b"Foo", b"/", denied_by(2));
    same(b"User-agent: *\0x\nDisallow: /", b"/", denied_by(2));
}

/// A line of `len` octets: `Disallow: /`, then `a`s, then `last`.
fn line_of(len: usize, last: u8) -> Vec<u8> {
    let mut line = b"Disallow: /".to_vec();
    line.resize(len - 1, b'a');
    line.push(last);
    line
}

/// The path that a line of `len` octets by [`line_of`] asks for.
fn path_of(len: usize, last: u8) -> Vec<u8> {
    line_of(len, last)["Disallow: ".len()..].to_vec()
}

#[test]
fn line_content_past_16663_octets_is_dropped_by_google_alone() {
    let body = body_of(&line_of(16_663, b'b'));
    same(&body, &path_of(16_663, b'b'), denied_by(2));
    same(&body, &path_of(16_663, b'c'), NO_RULE);
    let body = body_of(&line_of(16_664, b'b'));
    same(&body, &path_of(16_664, b'b'), denied_by(2));
    differ(&body, &path_of(16_664, b'c'), NO_RULE, denied_by(2));
    let body = body_of(&[vec![b' '; 16_663], b"Disallow: /".to_vec()].concat());
    differ(&body, b"/", denied_by(2), NO_RULES);
    let body = body_of(&[vec![b' '; 16_662], b"Disallow: /".to_vec()].concat());
    differ(&body, b"/", denied_by(2), NO_RULES);
    let comment = [vec![b'#'; 20_000], b"\nDisallow: /b".to_vec()].concat();
    same(&body_of(&comment), b"/b", denied_by(3));
    let long = [line_of(20_000, b'b'), b"\nDisallow: /b".to_vec()].concat();
    same(&body_of(&long), b"/b", denied_by(3));
}

#[test]
fn line_content_is_cut_before_it_is_escaped() {
    let letters = (16_663 - "Disallow: /".len()) / 2;
    let line = [b"Disallow: /".to_vec(), b"\xC3\xA9".repeat(letters)].concat();
    assert_eq!(line.len(), 16_663);
    let escaped = |last: &[u8]| [b"/".to_vec(), b"%C3%A9".repeat(letters - 1), last.to_vec()];
    same(&body_of(&line), &escaped(b"%C3%A9").concat(), denied_by(2));
    same(&body_of(&line), &escaped(b"%C3%AA").concat(), NO_RULE);
    let half = [line, b"\xC3\xA9".to_vec()].concat();
    differ(&body_of(&half), &escaped(b"%C3%A9").concat(), NO_RULE, denied_by(2));
}

#[test]
fn vt_and_ff_around_keys_and_values_are_trimmed_as_blanks() {
    let body = b"\x0BUser-agent\x0C:\x0B*\x0C\n\x0CDisallow\x0B: \x0C/a\x0B \t\n";
    same(body, b"/ab", denied_by(2));
    same(&body_of(b" \t Disallow \t:\t /a \t"), b"/a", denied_by(2));
    same(&body_of(b"Disallow: \x0B\x0C"), b"/a", only_empty_rule(2));
    same(&body_of(b"Disallow: /a\x0Bb"), b"/a", NO_RULE);
    same(&body_of(b"Disallow: /a\x0Bb"), b"/a\x0Bb", denied_by(2));
    same(&body_of(b"Disallow: \xC2\xA0/a"), b"/a", NO_RULE);
    same(&body_of(b"Disallow\xC2\xA0: /a"), b"/a", denied_by(2));
}

#[test]
fn missing_colon_is_accepted_with_exactly_two_words() {
    same(b"User-agent *\nDisallow /a", b"/a", denied_by(2));
    same(&body_of(b"Disallow \t \t/a \t"), b"/a", denied_by(2));
    same(&body_of(b"Disallow /a # a comment"), b"/a", denied_by(2));
    same(&body_of(b"Disallow /a b"), b"/a", NO_RULES);
    same(&body_of(b"Disallow"), b"/a", NO_RULES);
    same(&body_of(b"Disallow/a"), b"/a", NO_RULES);
    same(&body_of(b"Disallow = /a"), b"/a", NO_RULES);
    same(&body_of(b"Disallow /a: b"), b"/a", NO_RULE);
    same(b"user agent *\nDisallow: /a", b"/a", NO_RULES);
}

#[test]
fn empty_key_says_nothing() {
    same(&body_of(b": /a"), b"/a", NO_RULES);
    same(&body_of(b" \t: Disallow: /a"), b"/a", NO_RULES);
    same(&body_of(b"#Disallow: /a"), b"/a", NO_RULES);
    same(&body_of(b"Disallow#: /a"), b"/a", NO_RULES);
    same(&body_of(b"Disallow:#/a"), b"/a", only_empty_rule(2));
    same(&body_of(b"Disallow:/a#b"), b"/a", denied_by(2));
}

#[test]
fn keys_are_known_by_prefix_ignoring_case() {
    for key in ["Disallow", "DISALLOW", "dIsAlLoW", "Disallowed", "disallow-all", "Disallow x"] {
        same(&body_of(format!("{key}: /a").as_bytes()), b"/a", denied_by(2));
    }
    for key in ["Allow", "ALLOW", "allowed", "Allowance", "allow-x y"] {
        same(&body_of(format!("Disallow: /a\n{key}: /a").as_bytes()), b"/a", allowed_by(3));
    }
    for key in ["User-agent", "USER-AGENT", "user-agents", "User-Agent string"] {
        same(format!("{key}: *\nDisallow: /a").as_bytes(), b"/a", denied_by(2));
    }
    for key in ["xDisallow", "-disallow", "disallo", "dis allow", "no-disallow"] {
        same(&body_of(format!("{key}: /a").as_bytes()), b"/a", NO_RULES);
    }
}

#[test]
fn keys_have_the_accepted_typos_and_allow_has_none() {
    for key in ["dissallow", "dissalow", "disalow", "diasllow", "disallaw", "DISALOWED"] {
        same(&body_of(format!("{key}: /a").as_bytes()), b"/a", denied_by(2));
    }
    for key in ["useragent", "user agent", "UserAgent", "User Agents"] {
        same(format!("{key}: *\nDisallow: /a").as_bytes(), b"/a", denied_by(2));
    }
    for key in ["alow", "aloow", "alllow", "al-low", "allw", "a llow"] {
        same(&body_of(format!("Disallow: /a\n{key}: /a").as_bytes()), b"/a", denied_by(2));
    }
    for key in ["desallow", "disllow", "dis-allow", "disallo w", "dsallow"] {
        same(&body_of(format!("{key}: /a").as_bytes()), b"/a", NO_RULES);
    }
    for key in ["user_agent", "user  agent", "user--agent", "user", "agent"] {
        same(format!("{key}: *\nDisallow: /a").as_bytes(), b"/a", NO_RULES);
    }
}

#[test]
fn key_site_map_and_sitemap_are_other_records() {
    for key in ["Sitemap", "site-map", "SITE-MAP", "sitemaps", "crawl-delay", "Content-Signal"] {
        let body = format!("User-agent: FooBot\n{key}: /a\nUser-agent: BarBot\nDisallow: /\n");
        same(body.as_bytes(), b"/a", denied_by(4));
        same_for(body.as_bytes(), b"BarBot", b"/a", denied_by(4));
    }
}
