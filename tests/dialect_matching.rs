//! Which rule decides a path: one test a line of the dialects' table, in both dialects.

mod dialects;

use dialects::*;

/// A body with these rules for everybody; the first stands on line 2.
fn rules(rules: &[&str]) -> Vec<u8> {
    body_of(rules.join("\n").as_bytes())
}

#[test]
fn specificity_counts_octets_and_the_most_specific_rule_decides() {
    same(&rules(&["Allow: /a", "Disallow: /ab"]), b"/abc", denied_by(3));
    same(&rules(&["Disallow: /ab", "Allow: /a"]), b"/abc", denied_by(2));
    same(&rules(&["Disallow: /", "Allow: /a", "Disallow: /ab"]), b"/a", allowed_by(3));
    same(&rules(&["Allow: /page", "Disallow: /*.htm"]), b"/page.htm", denied_by(3));
}

#[test]
fn specificity_counts_stars_and_the_anchor() {
    same(&rules(&["Disallow: /ab", "Allow: /a*b"]), b"/ab", allowed_by(3));
    same(&rules(&["Disallow: /ab", "Allow: /****"]), b"/ab", allowed_by(3));
    same(&rules(&["Disallow: /ab$", "Allow: /ab"]), b"/ab", denied_by(2));
    same(&rules(&["Disallow: /ab$", "Allow: /a*b*"]), b"/ab", allowed_by(3));
    same(&rules(&["Allow: /$", "Disallow: /"]), b"/", allowed_by(2));
    same(&rules(&["Allow: /$", "Disallow: /"]), b"/x", denied_by(3));
}

#[test]
fn specificity_counts_an_escaped_octet_as_three() {
    let star = |stars: usize| format!("Allow: /{}", "*".repeat(stars));
    for pattern in ["/é", "/%C3%A9", "/%c3%a9"] {
        let deny = format!("Disallow: {pattern}");
        same(&rules(&[&deny, &star(5)]), b"/%C3%A9", denied_by(2));
        same(&rules(&[&deny, &star(6)]), b"/%C3%A9", allowed_by(3));
    }
    same(&rules(&["Disallow: /%2F", &star(2)]), b"/%2F", denied_by(2));
    same(&rules(&["Disallow: /%2F", &star(3)]), b"/%2F", allowed_by(3));
}

#[test]
fn specificity_counts_octets_of_the_normalised_pattern_in_rfc9309() {
    // `/%61` is `/a`, two octets; `/a$b` is `/a%24b`, six. Google counts four each.
    differ(&rules(&["Disallow: /%61", "Allow: /**"]), b"/%61", allowed_by(3), denied_by(2));
    differ(&rules(&["Disallow: /%61", "Allow: /"]), b"/%61", denied_by(2), denied_by(2));
    differ(&rules(&["Disallow: /a$b", "Allow: /****"]), b"/a$b", denied_by(2), allowed_by(3));
    differ(&rules(&["Disallow: /a$b", "Allow: /*****"]), b"/a$b", allowed_by(3), allowed_by(3));
    differ(&rules(&["Disallow: /%7E%7e", "Allow: /***"]), b"/~~", allowed_by(3), allowed_by(3));
}

#[test]
fn among_rules_of_equal_specificity_allow_wins() {
    same(&rules(&["Allow: /a", "Disallow: /a"]), b"/a", allowed_by(2));
    same(&rules(&["Disallow: /a", "Allow: /a"]), b"/a", allowed_by(3));
    same(&rules(&["Disallow: /*b", "Allow: /a*"]), b"/ab", allowed_by(3));
    same(&rules(&["Disallow: /a", "Disallow: /a", "Allow: /*"]), b"/a", allowed_by(4));
}

#[test]
fn among_rules_of_one_kind_and_equal_specificity_the_first_line_decides() {
    same(&rules(&["Disallow: /*b", "Disallow: /a*"]), b"/ab", denied_by(2));
    same(&rules(&["Disallow: /a*", "Disallow: /*b"]), b"/ab", denied_by(2));
    same(&rules(&["Allow: /a", "Allow: /a"]), b"/a", allowed_by(2));
    same(&rules(&["Disallow: /a", "Allow: /a", "Allow: /a"]), b"/a", allowed_by(3));
    let merged = b"User-agent: FooBot\nDisallow: /a\nUser-agent: x\nDisallow: /\n\
        User-agent: FooBot\nDisallow: /a\n";
    same(merged, b"/a", denied_by(2));
}

#[test]
fn empty_pattern_matches_nothing_and_shows_up_as_matching_line() {
    same(&rules(&["Disallow:"]), b"/a", only_empty_rule(2));
    same(&rules(&["Allow:"]), b"/a", only_empty_rule(2));
    same(&rules(&["Disallow: # nothing"]), b"/", only_empty_rule(2));
    same(&rules(&["Disallow:", "Disallow: /"]), b"/a", denied_by(3));
    same(&rules(&["Allow:", "Disallow: /"]), b"/a", denied_by(3));
    same(&rules(&["Disallow: /x", "Disallow:"]), b"/a", only_empty_rule(3));
    same(&rules(&["Disallow:", "Disallow:"]), b"/a", only_empty_rule(2));
    same(&rules(&["Disallow:", "Allow:", "Allow:"]), b"/a", only_empty_rule(3));
}

#[test]
fn star_is_any_octets_also_none() {
    for path in ["/ab", "/axb", "/a/x/b", "/a?x=b", "/abb", "/abc", "/a%2Fb", "/a*b"] {
        same(&rules(&["Disallow: /a*b"]), path.as_bytes(), denied_by(2));
    }
    for path in ["/a", "/b", "/ba", "/A*B", "/xab"] {
        same(&rules(&["Disallow: /a*b"]), path.as_bytes(), NO_RULE);
    }
    same(&rules(&["Disallow: *.php"]), b"/x/y.php5", denied_by(2));
    same(&rules(&["Disallow: *"]), b"/", denied_by(2));
    same(&rules(&["Disallow: /a*"]), b"/a", denied_by(2));
    same(&rules(&["Disallow: /**a**b**"]), b"/ab", denied_by(2));
    same(&rules(&["Disallow: /*ab*ab"]), b"/abab", denied_by(2));
    same(&rules(&["Disallow: /*ab*ab"]), b"/abb", NO_RULE);
    same(&rules(&["Disallow: /*aab"]), b"/aaab", denied_by(2));
}

#[test]
fn dollar_anchors_at_the_end_of_the_pattern() {
    same(&rules(&["Disallow: /a$"]), b"/a", denied_by(2));
    for path in ["/ab", "/a/", "/a?", "/a$", "/"] {
        same(&rules(&["Disallow: /a$"]), path.as_bytes(), NO_RULE);
    }
    same(&rules(&["Disallow: /*.php$"]), b"/a.php/b.php", denied_by(2));
    same(&rules(&["Disallow: /*.php$"]), b"/a.php?x", NO_RULE);
    same(&rules(&["Disallow: /*ab$"]), b"/abab", denied_by(2));
    same(&rules(&["Disallow: /a*b*a$"]), b"/aba", denied_by(2));
    same(&rules(&["Disallow: /ab*b$"]), b"/ab", NO_RULE);
    same(&rules(&["Disallow: /a*$"]), b"/abc", denied_by(2));
    same(&rules(&["Disallow: /a$ "]), b"/a", denied_by(2));
}

#[test]
fn dollar_elsewhere_is_a_literal() {
    same(&rules(&["Disallow: /a$b"]), b"/a$bc", denied_by(2));
    same(&rules(&["Disallow: /a$b"]), b"/a", NO_RULE);
    same(&rules(&["Disallow: /a$$"]), b"/a$", denied_by(2));
    same(&rules(&["Disallow: /a$$"]), b"/a$b", NO_RULE);
    same(&rules(&["Disallow: /a$$"]), b"/a", NO_RULE);
    same(&rules(&["Disallow: /a$*"]), b"/a$", denied_by(2));
    same(&rules(&["Disallow: /a$*"]), b"/a", NO_RULE);
    same(&rules(&["Disallow: /*$b$"]), b"/a$b", denied_by(2));
    same(&rules(&["Disallow: $"]), b"/", NO_RULE);
}

#[test]
fn normalisation_encodes_non_ascii_octets_on_both_sides_in_rfc9309_and_in_rules_in_google() {
    let raw = "/é".as_bytes();
    same(&rules(&["Disallow: /é"]), b"/%C3%A9", denied_by(2));
    differ(&rules(&["Disallow: /é"]), raw, denied_by(2), NO_RULE);
    differ(&rules(&["Disallow: /%C3%A9"]), raw, denied_by(2), NO_RULE);
    same(&body_of(b"Disallow: /\xE9"), b"/%E9", denied_by(2));
    differ(&body_of(b"Disallow: /\xE9"), b"/\xE9", denied_by(2), NO_RULE);
    differ(&body_of(b"Disallow: /\xFF\x80"), b"/%ff%80", denied_by(2), NO_RULE);
}

#[test]
fn normalisation_writes_hex_digits_in_upper_case() {
    same(&rules(&["Disallow: /%c3%a9"]), b"/%C3%A9", denied_by(2));
    differ(&rules(&["Disallow: /%c3%a9"]), b"/%c3%a9", denied_by(2), NO_RULE);
    differ(&rules(&["Disallow: /%C3%A9"]), b"/%c3%A9", denied_by(2), NO_RULE);
    differ(&rules(&["Disallow: /a%3d"]), b"/a%3d", denied_by(2), NO_RULE);
    same(&rules(&["Disallow: /a%3d"]), b"/a%3D", denied_by(2));
}

#[test]
fn normalisation_decodes_unreserved_octets_in_rfc9309_alone() {
    let unreserved = (0..128_u8).filter(|o| o.is_ascii_alphanumeric() || b"-._~".contains(o));
    for octet in unreserved {
        let (encoded, plain) = (format!("/x%{octet:02X}y"), format!("/x{}y", char::from(octet)));
        let of_encoded = rules(&[&format!("Disallow: {encoded}")]);
        let of_plain = rules(&[&format!("Disallow: {plain}")]);
        differ(&of_encoded, plain.as_bytes(), denied_by(2), NO_RULE);
        differ(&of_plain, encoded.as_bytes(), denied_by(2), NO_RULE);
        same(&of_encoded, encoded.as_bytes(), denied_by(2));
    }
}

#[test]
fn normalisation_leaves_other_octets_as_written() {
    let is_kept = |o: &u8| !(o.is_ascii_alphanumeric() || b"-._~*$#".contains(o));
    for octet in (0x21..0x7F_u8).filter(is_kept) {
        let (encoded, plain) = (format!("/x%{octet:02X}y"), format!("/x{}y", char::from(octet)));
        let of_encoded = rules(&[&format!("Disallow: {encoded}")]);
        let of_plain = rules(&[&format!("Disallow: {plain}")]);
        same(&of_encoded, plain.as_bytes(), NO_RULE);
        same(&of_plain, encoded.as_bytes(), NO_RULE);
        same(&of_encoded, encoded.as_bytes(), denied_by(2));
        same(&of_plain, plain.as_bytes(), denied_by(2));
    }
    same(&rules(&["Disallow: /a%2Fb"]), b"/a/b", NO_RULE);
    differ(&rules(&["Disallow: /a%2Fb"]), b"/a%2fb", denied_by(2), NO_RULE);
}

#[test]
fn normalisation_makes_a_literal_star_or_dollar_one_octet_in_rfc9309() {
    differ(&rules(&["Disallow: /a%2ab"]), b"/a*b", denied_by(2), NO_RULE);
    same(&rules(&["Disallow: /a%2Ab"]), b"/a%2Ab", denied_by(2));
    same(&rules(&["Disallow: /a%2Ab"]), b"/axb", NO_RULE);
    same(&rules(&["Disallow: /a*b"]), b"/a%2Ab", denied_by(2));
    differ(&rules(&["Disallow: /a%24"]), b"/a$", denied_by(2), NO_RULE);
    differ(&rules(&["Disallow: /a$b"]), b"/a%24b", denied_by(2), NO_RULE);
    same(&rules(&["Disallow: /a%24"]), b"/a%24b", denied_by(2));
    same(&rules(&["Disallow: /a%24"]), b"/a", NO_RULE);
    differ(&rules(&["Disallow: /a$$"]), b"/a%24", denied_by(2), NO_RULE);
    differ(&rules(&["Disallow: /a%24$"]), b"/a$", denied_by(2), NO_RULE);
    same(&rules(&["Disallow: %2Aa"]), b"/*a", NO_RULE);
}

#[test]
fn normalisation_keeps_a_stray_percent_sign() {
    for path in ["/100%", "/a%zz", "/a%4", "/a%", "/%%", "/a%g1b", "/a%4g"] {
        same(&rules(&[&format!("Disallow: {path}")]), path.as_bytes(), denied_by(2));
    }
    same(&rules(&["Disallow: /a%zz"]), b"/a%ZZ", NO_RULE);
    differ(&rules(&["Disallow: /%%41"]), b"/%A", denied_by(2), NO_RULE);
    same(&rules(&["Disallow: /%2541"]), b"/%41", NO_RULE);
    same(&rules(&["Disallow: /%25"]), b"/%", NO_RULE);
    let stray = "/a%zzé".as_bytes();
    same(&rules(&["Disallow: /a%zzé"]), b"/a%zz%C3%A9", denied_by(2));
    differ(&rules(&["Disallow: /a%zzé"]), stray, denied_by(2), NO_RULE);
}

#[test]
fn pattern_that_starts_with_neither_slash_nor_star_matches_nothing() {
    for pattern in ["a", "?q", "%2Fa", "http://h.test/a", ".", "$", "é", "\\a", "%2A"] {
        let body = rules(&[&format!("Disallow: {pattern}")]);
        for path in [b"/a".as_slice(), b"/?q", b"/", b"/h.test/a", b"/http://h.test/a"] {
            same(&body, path, NO_RULE);
        }
    }
    same(&rules(&["Disallow: a*", "Disallow: /"]), b"/a", denied_by(3));
    same(&rules(&["Disallow: *a"]), b"/a", denied_by(2));
}

#[test]
fn allow_of_index_htm_also_allows_its_folder_in_google_alone() {
    let deny_all = |pattern: &str| rules(&["Disallow: /", &format!("Allow: {pattern}")]);
    for pattern in ["/a/index.html", "/a/index.htm", "/a/index.html$", "/a/index.htm5?x"] {
        differ(&deny_all(pattern), b"/a/", denied_by(2), allowed_by(3));
        for path in ["/a", "/a/b", "/a/?x", "/a/index", "/b/", "/"] {
            same(&deny_all(pattern), path.as_bytes(), denied_by(2));
        }
    }
    same(&deny_all("/a/index.htm"), b"/a/index.html", allowed_by(3));
    differ(&deny_all("/index.html"), b"/", denied_by(2), allowed_by(3));
    differ(&deny_all("/*/index.html"), b"/x/y/", denied_by(2), allowed_by(3));
    for pattern in ["/a/index.ht", "/a/INDEX.html", "/a/index.html/b", "/a/xindex.html"] {
        same(&deny_all(pattern), b"/a/", denied_by(2));
    }
    same(&rules(&["Disallow: /a/index.html"]), b"/a/", NO_RULE);
}

#[test]
fn allow_of_index_htm_counts_the_folder_and_the_anchor_in_google() {
    let body = |deny: &str| rules(&[&format!("Disallow: {deny}"), "Allow: /a/index.html"]);
    differ(&body("/a/*"), b"/a/", denied_by(2), allowed_by(3));
    differ(&body("/a/*$"), b"/a/", denied_by(2), denied_by(2));
    differ(&body("/*"), b"/a/", denied_by(2), allowed_by(3));
    same(&body("/a/index.html$"), b"/a/index.html", denied_by(2));
}
