//! What hostile bodies make the compiler allocate: never more than a small multiple of what is read,
//! so with the default limit never more than a few megabytes. Counted by the allocator.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/counting.rs"]
mod counting;

use counting::{alone, peak};
use robosift::compile::{BodyFlags, BodyLimit, NameKind, Program, compile};
use robosift::matching::best;
use robosift::parse::Dialect;

/// A large body: 100 MB.
const LARGE: usize = 100_000_000;

/// Compiles with `limit` and checks that at its peak no more than `times` the octets read were
/// allocated.
#[track_caller]
fn compile_within(times: usize, body: &[u8], dialect: &Dialect, limit: BodyLimit) -> Program {
    let read = limit.cut(body).len();
    let (peak, program) = peak(|| compile(body, dialect, limit));
    let name = dialect.name;
    assert!(peak <= times * read, "{name}: {peak} octets for {read}, {} times", peak / read);
    assert_eq!(program.memory_usage(), program.octets().len());
    program
}

/// The whole body once, and in both dialects what the default limit leaves of it, which may cost
/// half as much again: small lists have grown less evenly.
#[track_caller]
fn check(times: usize, body: &[u8]) -> Program {
    for dialect in Dialect::ALL {
        let cut = compile_within(times + times / 2 + 1, body, &dialect, BodyLimit::DEFAULT);
        assert_eq!(
            cut.flags().contains(BodyFlags::OVER_LIMIT),
            body.len() > 512_000,
            "{}",
            dialect.name
        );
    }
    compile_within(times, body, &Dialect::RFC9309, BodyLimit::NONE)
}

/// `User-agent: *` and then `piece` again and again.
fn repeated(piece: &[u8], len: usize) -> Vec<u8> {
    [b"User-agent: *\n".to_vec(), piece.repeat(len / piece.len())].concat()
}

/// One rule of `octet` again and again.
fn one_rule(octet: u8, len: usize) -> Vec<u8> {
    let mut body = b"User-agent: *\nDisallow: /".to_vec();
    body.resize(len, octet);
    body
}

/// A number as letters.
fn name(mut at: usize) -> String {
    let mut name = String::new();
    loop {
        name.push(char::from(b'a' + u8::try_from(at % 26).unwrap()));
        at /= 26;
        if at == 0 {
            return name;
        }
    }
}

/// Line of the rule for everybody that decides `path`.
fn line(program: &Program, path: &[u8]) -> Option<u32> {
    best(program, program.wildcard()?, path, &mut ()).map(|rule| rule.line)
}

#[test]
fn a_large_body_of_short_rules() {
    let _alone = alone();
    let program = check(16, &repeated(b"allow:/\n", LARGE));
    assert_eq!(program.num_rules(), 12_500_000);
    assert_eq!(line(&program, b"/"), Some(2));
}

#[test]
fn a_large_body_of_empty_rules_without_line_feeds() {
    let _alone = alone();
    let program = check(8, &repeated(b"allow:\r", LARGE));
    assert_eq!(program.num_rules(), 14_285_714);
    assert_eq!(line(&program, b"/"), None);
}

#[test]
fn a_large_body_of_one_rule() {
    let _alone = alone();
    let program = check(4, &one_rule(b'a', LARGE));
    assert_eq!((line(&program, b"/aaa"), program.num_rules()), (None, 1));
    let program = check(4, &one_rule(b'*', LARGE));
    assert_eq!(line(&program, b"/aaa"), Some(2));
    // Each octet becomes three.
    let program = check(10, &one_rule(0xC3, LARGE));
    assert_eq!(line(&program, b"/%C3%C3"), None);
}

#[test]
fn a_large_body_that_says_nothing() {
    let _alone = alone();
    for octet in [0, b'\n', b'a', b':', b'#'] {
        let program = check(1, &vec![octet; LARGE / 4]);
        assert_eq!((program.num_rules(), program.wildcard()), (0, None));
    }
}

#[test]
fn a_body_of_other_records_takes_no_memory_of_its_own() {
    let _alone = alone();
    let program = check(1, &repeated(b"a:\n", LARGE / 10));
    assert_eq!(program.num_rules(), 0);
}

#[test]
fn a_body_of_user_agent_lines_only() {
    let _alone = alone();
    let program = check(6, &repeated(b"useragent:a\n", LARGE));
    assert_eq!(program.num_rules(), 0);
    let distinct: String = (0..300_000).map(|at| format!("useragent:{}\n", name(at))).collect();
    let program = check(24, distinct.as_bytes());
    assert!(program.find(NameKind::Token, name(299_999).as_bytes()).is_some());
    assert!(program.find(NameKind::Token, name(300_000).as_bytes()).is_none());
    // Each names a token and, for its full stop, a whole name.
    let distinct: String = (0..300_000).map(|at| format!("useragent:{}.\n", name(at))).collect();
    let program = check(40, distinct.as_bytes());
    assert!(program.find(NameKind::Whole, format!("{}.", name(299_999)).as_bytes()).is_some());
}

#[test]
fn a_million_groups_of_one_rule() {
    let _alone = alone();
    let group = |at| format!("useragent:{}\nallow:/\n", name(at));
    let body: String = (0..1_000_000).map(group).collect();
    let program = check(24, body.as_bytes());
    let last = program.find(NameKind::Token, name(999_999).as_bytes()).unwrap();
    let decided = best(&program, last, b"/x", &mut ()).unwrap();
    assert_eq!(decided.line, 2_000_000);
    let merged = check(16, &b"useragent:a\nallow:/\n".repeat(1_000_000));
    let group = merged.find(NameKind::Token, b"a").unwrap();
    assert_eq!(best(&merged, group, b"/x", &mut ()).map(|rule| rule.line), Some(2));
}

#[test]
fn without_a_limit_no_more_than_128_mib_are_read() {
    let _alone = alone();
    let limit: usize = 128 << 20;
    let mut body = b"User-agent: *\nDisallow: /early\n#".to_vec();
    body.resize(limit - b"\nDisallow: /late".len(), b'x');
    body.extend(b"\nDisallow: /late\nDisallow: /past");
    for asked in [BodyLimit::NONE, BodyLimit::new(0), BodyLimit::new(usize::MAX)] {
        let program = compile_within(1, &body, &Dialect::RFC9309, asked);
        let lines = [b"/early", b"/late.", b"/past."].map(|path| line(&program, path));
        assert_eq!(lines, [Some(2), Some(4), None]);
        assert!(program.flags().contains(BodyFlags::OVER_LIMIT));
    }
}
