//! docs/LINT.md: each code stands on it with its severity and summary, and its example yields it.

use robosift::lint::{Code, Options, lint};

/// An entry of the page.
struct Entry {
    heading: String,
    text: String,
    example: Vec<u8>,
}

fn entries() -> Vec<Entry> {
    let page = include_str!("../../docs/LINT.md");
    let parts = page.split("\n### ").skip(1);
    let entry = |part: &str| {
        let (heading, rest) = part.split_once("\n\n").unwrap();
        let (text, rest) = rest.split_once("```robots").unwrap();
        let (marks, rest) = rest.split_once('\n').unwrap();
        let (example, _) = rest.split_once("```").unwrap();
        let example = match marks.trim() {
            "escaped" => unescaped(example),
            "" => example.as_bytes().to_vec(),
            other => panic!("{heading}: {other}"),
        };
        Entry { heading: heading.to_owned(), text: text.to_owned(), example }
    };
    parts.map(entry).collect()
}

/// Repetitions written out, then escapes.
fn unescaped(example: &str) -> Vec<u8> {
    let mut text = String::new();
    let mut rest = example;
    while let Some((before, behind)) = rest.split_once('[') {
        let (inner, after) = behind.split_once(']').unwrap();
        let (count, repeated) = inner.split_once(" × ").unwrap();
        text.push_str(before);
        for n in 0..count.parse::<usize>().unwrap() {
            text.push_str(&repeated.replace("{n}", &n.to_string()).replace("\\n", "\n"));
        }
        rest = after;
    }
    text.push_str(rest);
    octets(&text)
}

fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        octets.extend_from_slice(before.as_bytes());
        let (octet, len) = match behind.as_bytes()[0] {
            b'0' => (0, 1),
            b'r' => (b'\r', 1),
            b'x' => (u8::from_str_radix(&behind[1..3], 16).unwrap(), 3),
            other => panic!("escape {}", char::from(other)),
        };
        octets.push(octet);
        rest = &behind[len..];
    }
    octets.extend_from_slice(rest.as_bytes());
    octets
}

#[test]
fn every_code_stands_on_the_page_in_order() {
    let heading =
        |code: &Code| format!("{} {} ({})", code.id(), code.name(), code.severity().name());
    let expected: Vec<String> = Code::ALL.iter().map(heading).collect();
    let found: Vec<String> = entries().into_iter().map(|entry| entry.heading).collect();
    assert_eq!(found, expected);
    for (entry, code) in entries().iter().zip(Code::ALL) {
        assert!(entry.text.starts_with(code.summary()), "{}: {}", entry.heading, entry.text);
    }
}

#[test]
fn every_example_yields_its_code() {
    for (entry, code) in entries().iter().zip(Code::ALL) {
        let report = lint(&entry.example, &Options::default());
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.code.id()).collect();
        assert!(report.count(*code) > 0, "{}: {found:?}", entry.heading);
    }
}

#[test]
fn codes_and_names_are_unique_and_ascend() {
    let ids: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    assert!(ids.is_sorted_by(|one, other| one < other), "{ids:?}");
    for code in Code::ALL {
        assert_eq!(Code::named(&code.name().to_uppercase()), Some(*code));
        assert_eq!(Code::named(&code.id().to_lowercase()), Some(*code));
        assert_eq!(Code::ALL[code.index()], *code);
        assert!(code.summary().ends_with('.'), "{}", code.summary());
    }
    assert_eq!(Code::named("RS000"), None);
}
