//! The body limit: how much of a body is read, and what says that there was more.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use robosift::compile::{BodyFlags, BodyLimit, Program, compile};
use robosift::corpus::{BodyId, CorpusBuilder, Place, RawCapture};
use robosift::matching::best;
use robosift::parse::Dialect;

/// The line of the rule for everybody that decides `path`; 0 where none does.
fn line(program: &Program, path: &[u8]) -> u32 {
    let decided = program.wildcard().and_then(|group| best(program, group, path, &mut ()));
    decided.map_or(0, |rule| rule.line)
}

fn is_over(program: &Program) -> bool {
    program.flags().contains(BodyFlags::OVER_LIMIT)
}

/// A body of `len` octets whose third and last line is `Disallow: /private`.
fn body_of(len: usize) -> Vec<u8> {
    let (first, last) = (b"User-agent: *\n#", b"\nDisallow: /private");
    let comment = vec![b'x'; len - first.len() - last.len()];
    [first.as_slice(), &comment, last].concat()
}

#[test]
fn body_limit_is_512000_octets_unless_said_otherwise() {
    for dialect in Dialect::ALL {
        let whole = compile(&body_of(512_000), &dialect, BodyLimit::DEFAULT);
        assert_eq!((line(&whole, b"/private"), is_over(&whole)), (3, false));
        let cut = compile(&body_of(512_001), &dialect, BodyLimit::DEFAULT);
        assert_eq!((line(&cut, b"/private"), is_over(&cut)), (3, true));
        assert_eq!(line(&cut, b"/privat"), 3, "the last octet is past the limit");
        let gone = compile(&body_of(512_019), &dialect, BodyLimit::DEFAULT);
        assert_eq!((line(&gone, b"/private"), is_over(&gone)), (0, true));
        assert_eq!(gone.num_rules(), 0);
    }
}

#[test]
fn body_limit_is_adjustable_and_0_is_none() {
    for dialect in Dialect::ALL {
        let body = body_of(2_000_000);
        for limit in [BodyLimit::NONE, BodyLimit::new(0), BodyLimit::new(2_000_000)] {
            let program = compile(&body, &dialect, limit);
            assert_eq!((line(&program, b"/private"), is_over(&program)), (3, false));
        }
        let cut = compile(&body, &dialect, BodyLimit::new(1_999_999));
        assert_eq!((line(&cut, b"/privat"), is_over(&cut)), (3, true));
        let tiny = compile(b"User-agent: *\nDisallow: /ab", &dialect, BodyLimit::new(26));
        assert_eq!((line(&tiny, b"/ax"), is_over(&tiny)), (2, true));
        let nothing = compile(b"User-agent: *\nDisallow: /", &dialect, BodyLimit::new(1));
        assert_eq!((line(&nothing, b"/"), is_over(&nothing)), (0, true));
    }
}

#[test]
fn body_limit_can_end_a_name_or_a_group() {
    let body = b"User-agent: *\nDisallow: /a\nUser-agent: FooBot\nDisallow: /b\n";
    for dialect in Dialect::ALL {
        let find = |limit: usize, name: &[u8]| {
            let program = compile(body, &dialect, BodyLimit::new(limit));
            program.find(robosift::compile::NameKind::Token, name).is_some()
        };
        let end_of_name = body.len() - b"\nDisallow: /b\n".len();
        assert!(find(end_of_name, b"foobot"));
        assert!(!find(end_of_name - 1, b"foobot"));
        assert!(find(end_of_name - 1, b"foobo"));
        assert!(!find(20, b"foobot"));
    }
}

#[test]
fn body_limit_counts_the_byte_order_mark_and_the_line_ends() {
    for dialect in Dialect::ALL {
        let body = b"\xEF\xBB\xBFUser-agent: *\r\nDisallow: /ab";
        let program = compile(body, &dialect, BodyLimit::new(body.len() - 1));
        assert_eq!((line(&program, b"/a"), is_over(&program)), (2, true));
        assert_eq!(line(&compile(body, &dialect, BodyLimit::new(body.len())), b"/a"), 0);
    }
}

#[test]
fn body_limit_of_a_corpus_holds_for_all_its_bodies() {
    let program_of = |limit: BodyLimit| {
        let mut builder = CorpusBuilder::new(Dialect::RFC9309, limit);
        builder
            .add(RawCapture {
                place: Place::Origin(b"https://h.test".to_vec()),
                body: Some(body_of(600_000)),
                ..RawCapture::default()
            })
            .unwrap();
        let corpus = builder.finish().unwrap();
        let octets = corpus.program(BodyId::new(0)).unwrap().octets();
        Program::from_octets(octets.to_vec()).unwrap()
    };
    let cut = program_of(BodyLimit::DEFAULT);
    assert_eq!((line(&cut, b"/private"), is_over(&cut)), (0, true));
    let whole = program_of(BodyLimit::NONE);
    assert_eq!((line(&whole, b"/private"), is_over(&whole)), (3, false));
}
