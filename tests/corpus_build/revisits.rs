//! Records that refer to others for their bodies: by time, by the digest of the payload, of the same URL or another.

use std::path::Path;

use robosift::compile::BodyLimit;
use robosift::corpus::{
    Archived, Corpus, CorpusBuilder, CorpusError, Counts, FolderBuild, PayloadDigest, Place,
    RawCapture, Revisit, Sentences, Status,
};
use robosift::parse::Dialect;
use sha2::{Digest, Sha256};

use crate::cli::{Bench, HOUR};
use crate::made::{How, assert_same, octets, plan};
use crate::random::Random;

const A: &str = "https://a.example";
const B: &str = "https://b.example";

/// A 200 of an origin's robots.txt, at this hour.
fn whole(origin: &str, hour: i64, body: &str) -> RawCapture {
    RawCapture {
        place: Place::Origin(origin.as_bytes().to_vec()),
        body: Some(body.as_bytes().to_vec()),
        status: Some(Status(200)),
        time: Some(hour * HOUR),
        ..RawCapture::default()
    }
}

fn with_payload(capture: RawCapture, digest: &str) -> RawCapture {
    let payload_digest = Some(PayloadDigest::of(digest));
    RawCapture { archived: Archived { payload_digest, ..capture.archived }, ..capture }
}

/// A revisit at this hour that refers to the capture of another hour.
fn revisit(origin: &str, hour: i64, of: Option<i64>) -> RawCapture {
    let revisit = Some(Revisit { time: of.map(|hour| hour * HOUR), unmodified: false });
    let archived = Archived { revisit, ..Archived::default() };
    RawCapture { body: None, archived, ..whole(origin, hour, "") }
}

fn with_status(capture: RawCapture, status: i16) -> RawCapture {
    RawCapture { status: Some(Status(status)), ..capture }
}

fn in_memory(captures: &[RawCapture]) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    captures.iter().for_each(|capture| builder.add(capture.clone()).unwrap());
    builder.finish().unwrap()
}

/// Built out of core, with so little memory that captures come from several runs.
fn in_folder(output: &Path, captures: &[RawCapture]) -> Result<Corpus, CorpusError> {
    of_sources(output, &[("archive", captures)])
}

/// As [`in_folder`], of several sources.
fn of_sources(output: &Path, sources: &[(&str, &[RawCapture])]) -> Result<Corpus, CorpusError> {
    let (_, mut plan) = plan(output, &[], How { memory: 256, ..How::default() });
    plan.sources = sources.iter().map(|(name, _)| (*name).to_owned()).collect();
    let build = FolderBuild::begin(plan, false)?;
    let mut intake = build.intake();
    for (number, (_, captures)) in (0..).zip(sources) {
        intake.begin(number);
        for capture in *captures {
            robosift::corpus::CaptureSink::add(&mut intake, capture.clone())?;
        }
        intake.end(Sentences::default())?;
    }
    intake.finish()?;
    build.finish()?;
    Corpus::open(output, &Dialect::RFC9309)
}

/// The bodies of an origin's captures, oldest first, each the one of `bodies` with its digest.
fn bodies<'b>(corpus: &Corpus, origin: &str, bodies: &[&'b str]) -> Vec<Option<&'b str>> {
    let origin = corpus.find(origin.as_bytes()).unwrap();
    let text = |digest: &[u8; 32]| {
        let known = bodies.iter().find(|body| Sha256::digest(body)[..] == digest[..]);
        *known.expect("a body that no capture has")
    };
    let captures = corpus.captures(origin);
    captures.map(|capture| capture.body.map(|body| text(corpus.digest(body).unwrap()))).collect()
}

/// What the captures of A come to, whatever their order, in memory and in a folder; and revisits, unresolved ones.
#[track_caller]
fn check(captures: &[RawCapture], expected: &[Option<&str>], counts: (u64, u64)) {
    let texts: Vec<&str> = captures
        .iter()
        .filter_map(|capture| std::str::from_utf8(capture.body.as_deref()?).ok())
        .collect();
    let bench = Bench::new();
    let turned: Vec<RawCapture> = captures.iter().rev().cloned().collect();
    for (name, captures) in [("straight", captures), ("turned", &turned)] {
        let folder = in_folder(&bench.path(name), captures).unwrap();
        for (kind, corpus) in [("memory", in_memory(captures)), ("folder", folder)] {
            let what = format!("{name}, in {kind}");
            assert_eq!(bodies(&corpus, A, &texts), expected, "{what}");
            let Counts { revisits, revisits_unresolved, .. } = corpus.facts().counts;
            assert_eq!((revisits, revisits_unresolved), counts, "{what}");
            corpus.check().unwrap();
        }
    }
}

const X: &str = "User-agent: *\nDisallow: /x\n";
const Y: &str = "User-agent: *\nDisallow: /y\n";
const Z: &str = "User-agent: *\nDisallow: /z\n";

#[test]
fn by_time_it_is_the_capture_of_that_time_and_no_other() {
    let captures = [whole(A, 1, X), whole(A, 2, Y), whole(A, 3, Z), revisit(A, 4, Some(2))];
    check(&captures, &[Some(X), Some(Y), Some(Z), Some(Y)], (1, 0));
    // Another URL of the same time is none of its.
    let captures = [whole(B, 2, Y), whole(A, 1, X), revisit(A, 4, Some(2))];
    check(&captures, &[Some(X), None], (1, 1));
}

#[test]
fn by_payload_it_is_a_capture_of_the_same_url_first() {
    let captures = [
        with_payload(whole(A, 1, X), "sha1:AAAA"),
        with_payload(whole(A, 2, Y), "sha1:BBBB"),
        with_payload(whole(B, 1, Z), "sha1:CCCC"),
        with_payload(revisit(A, 3, None), "sha1:AAAA"),
        // However archives write a digest, it is the same one.
        with_payload(revisit(A, 4, None), " SHA1:bbbb"),
        with_payload(revisit(A, 5, None), "sha1:CCCC"),
        with_payload(revisit(A, 6, None), "sha1:DDDD"),
    ];
    check(&captures, &[Some(X), Some(Y), Some(X), Some(Y), Some(Z), None], (4, 1));
}

#[test]
fn a_time_that_is_not_there_leaves_the_payload_to_say() {
    let captures = [
        with_payload(whole(A, 1, X), "sha1:AAAA"),
        with_payload(whole(B, 9, Y), "sha1:BBBB"),
        with_payload(revisit(A, 3, Some(2)), "sha1:AAAA"),
        with_payload(revisit(A, 4, Some(2)), "sha1:BBBB"),
        with_payload(revisit(A, 5, Some(2)), "sha1:CCCC"),
        revisit(A, 6, Some(2)),
        revisit(A, 7, None),
    ];
    check(&captures, &[Some(X), Some(X), Some(Y), None, None, None], (5, 3));
}

#[test]
fn a_revisit_of_a_revisit_has_its_body() {
    let captures = [
        with_payload(whole(A, 1, X), "sha1:AAAA"),
        with_payload(whole(A, 2, Y), "sha1:BBBB"),
        revisit(A, 3, Some(1)),
        revisit(A, 4, Some(3)),
    ];
    check(&captures, &[Some(X), Some(Y), Some(X), Some(X)], (2, 0));
}

#[test]
fn a_revisit_with_a_body_of_its_own_keeps_it() {
    let with_body = RawCapture { body: Some(Y.into()), ..revisit(A, 2, Some(1)) };
    check(&[whole(A, 1, X), with_body], &[Some(X), Some(Y)], (1, 0));
}

#[test]
fn a_304_may_refer_like_any_other() {
    let captures = [whole(A, 1, X), with_status(revisit(A, 2, Some(1)), 304)];
    check(&captures, &[Some(X), Some(X)], (1, 0));
}

/// Of error pages no body is kept, so a revisit of one lacks none.
#[test]
fn a_revisit_of_an_error_page_has_no_body_and_misses_none() {
    let captures = [
        with_payload(whole(A, 1, X), "sha1:AAAA"),
        with_status(with_payload(whole(A, 2, Y), "sha1:BBBB"), 404),
        with_status(with_payload(revisit(A, 3, Some(2)), "sha1:BBBB"), 404),
        with_status(with_payload(revisit(A, 4, Some(1)), "sha1:AAAA"), 503),
    ];
    check(&captures, &[Some(X), None, None, None], (2, 0));
}

/// Where digests are wrong, bodies of one digest differ: the one that was stored first counts.
#[test]
fn of_other_urls_with_one_digest_the_first_in_the_sources_counts() {
    let bench = Bench::new();
    let other = |origin: &str, hour, body| with_payload(whole(origin, hour, body), "sha1:AAAA");
    let captures = [
        other("https://z.example", 9, Z),
        other(B, 1, Y),
        with_payload(revisit(A, 5, None), "sha1:AAAA"),
    ];
    let folder = in_folder(&bench.path("built"), &captures).unwrap();
    for corpus in [in_memory(&captures), folder] {
        assert_eq!(bodies(&corpus, A, &[Y, Z]), [Some(Z)]);
    }
}

#[test]
fn what_a_revisit_came_to_survives_merging() {
    let bench = Bench::new();
    let captures = [
        with_payload(whole(A, 1, X), "sha1:AAAA"),
        with_payload(whole(A, 2, Y), "sha1:BBBB"),
        revisit(A, 3, Some(1)),
        revisit(A, 4, Some(9)),
    ];
    let built = in_folder(&bench.path("built"), &captures).unwrap();
    bench.run(&["corpus", "merge", "built", "-o", "merged", "-q"]).ends_with(0);
    let merged = Corpus::open(&bench.path("merged"), &Dialect::RFC9309).unwrap();
    for corpus in [&built, &merged] {
        assert_eq!(bodies(corpus, A, &[X, Y]), [Some(X), Some(Y), Some(X), None]);
        assert_eq!(corpus.facts().counts.revisits, 2);
        assert_eq!(corpus.facts().counts.revisits_unresolved, 1);
    }
    assert_eq!(built.facts().fingerprint, merged.facts().fingerprint);
}

/// The server said that nothing was modified.
fn unmodified(origin: &str, hour: i64) -> RawCapture {
    let revisit = Some(Revisit { time: None, unmodified: true });
    let archived = Archived { revisit, ..Archived::default() };
    RawCapture { body: None, archived, ..with_status(whole(origin, hour, ""), 304) }
}

#[test]
fn not_modified_means_the_capture_before_of_the_same_url() {
    let captures = [whole(A, 1, X), whole(A, 2, Y), unmodified(A, 3), whole(B, 1, "")];
    check(&captures, &[Some(X), Some(Y), Some(Y)], (1, 0));
    // Nothing before it, and what other URLs have is none of its.
    let captures = [unmodified(A, 1), whole(A, 2, X), whole(B, 0, Y)];
    check(&captures, &[None, Some(X)], (1, 1));
}

/// What a corpus of the first captures, one of the second and one of all come to, merged and built.
#[track_caller]
fn merged_is_built_of_all(one: &[RawCapture], other: &[RawCapture]) -> (Bench, [u64; 4]) {
    let bench = Bench::new();
    let build = |name: &str, sources: &[(&str, &[RawCapture])]| {
        let corpus = of_sources(&bench.path(name), sources).unwrap();
        corpus.facts().counts.revisits_unresolved
    };
    let apart = [build("one", &[("x", one)]), build("other", &[("y", other)])];
    let all = build("all", &[("x", one), ("y", other)]);
    bench.run(&["corpus", "merge", "one", "other", "-o", "merged", "-q"]).ends_with(0);
    assert_same(&bench.path("merged"), &octets(&bench.path("all")), "merged");
    let merged = Corpus::open(&bench.path("merged"), &Dialect::RFC9309).unwrap();
    let unresolved = merged.facts().counts.revisits_unresolved;
    (bench, [apart[0], apart[1], all, unresolved])
}

#[test]
fn a_revisit_finds_its_body_in_the_corpus_that_it_is_merged_with() {
    let one = [
        with_payload(whole(B, 1, X), "sha1:AAAA"),
        with_payload(whole(A, 1, Y), "sha1:BBBB"),
        revisit(B, 9, Some(8)),
        with_payload(revisit(A, 6, None), "sha1:CCCC"),
    ];
    let other = [
        with_payload(revisit(A, 5, None), "sha1:AAAA"),
        revisit(A, 7, Some(1)),
        unmodified(A, 8),
        with_payload(whole(B, 8, Z), "sha1:CCCC"),
        with_payload(revisit(B, 10, Some(3)), "sha1:DDDD"),
    ];
    let (bench, unresolved) = merged_is_built_of_all(&one, &other);
    assert_eq!(unresolved, [2, 4, 1, 1]);
    let merged = Corpus::open(&bench.path("merged"), &Dialect::RFC9309).unwrap();
    let of_a = [Some(Y), Some(X), Some(Z), Some(Y), Some(Y)];
    assert_eq!(bodies(&merged, A, &[X, Y, Z]), of_a);
    assert_eq!(bodies(&merged, B, &[X, Y, Z]), [Some(X), Some(Z), Some(Z), None]);
    // Asked together they are as good as merged.
    bench.urls("rows.parquet", &["https://a.example/y", "https://b.example/z"]);
    for corpus in ["--corpus merged", "--corpus one --corpus other"] {
        let eval = format!("{corpus} --agent X --as-of 1970-01-01T09:00:00Z rows.parquet");
        assert_eq!(bench.verdicts(&eval).allowed(), [Some(false), Some(false)], "{corpus}");
    }
}

#[test]
fn whatever_refers_to_whatever_merged_corpora_are_that_of_all() {
    let (mut found, mut left) = (0, 0);
    for seed in 0..25 {
        let random = &mut Random::new(seed);
        let digest = |body: usize| format!("sha1:{body}");
        let capture = |_| {
            let origin = random.pick(&[A, B, "https://c.example"]);
            let hour = i64::try_from(random.below(12)).unwrap();
            let body = random.below(4);
            let of = Some(i64::try_from(random.below(12)).unwrap());
            let text = format!("User-agent: *\nDisallow: /{body}\n");
            let made = match random.below(6) {
                0 => with_payload(revisit(origin, hour, of), &digest(body)),
                1 => with_payload(revisit(origin, hour, None), &digest(body)),
                2 => revisit(origin, hour, of),
                3 => unmodified(origin, hour),
                4 => whole(origin, hour, &text),
                _ => with_payload(whole(origin, hour, &text), &digest(body)),
            };
            let elsewhere = Place::Url(format!("{origin}/rules.txt").into_bytes());
            let place = if random.one_in(4) { elsewhere } else { made.place.clone() };
            RawCapture { place, ..made }
        };
        let captures: Vec<RawCapture> = (0..14).map(capture).collect();
        let (one, other) = captures.split_at(7);
        let (_, [first, second, all, merged]) = merged_is_built_of_all(one, other);
        assert_eq!(all, merged, "seed {seed}");
        (found, left) = (found + first + second - all, left + all);
    }
    assert!(found > 10 && left > 10, "{found} {left}");
}
