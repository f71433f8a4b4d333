//! A corpus of shards holds what one build of all captures does, under the same numbers.

use robosift::corpus::{Corpus, Policy};
use robosift::parse::Dialect;

use crate::cli::Bench;
use crate::crawl;
use crate::cut::{How, build, build_shards};

/// All that a corpus says of its origins, other URLs and bodies.
fn said(corpus: &Corpus) -> Vec<String> {
    let capture = |c: robosift::corpus::Capture<'_>| {
        let numbers = (c.time, c.status, c.body, c.source(), c.offset());
        format!("  {numbers:?} {:?} {:?}", c.redirect(), c.content_type())
    };
    let mut said = Vec::new();
    for origin in corpus.origins() {
        let name = corpus.origin_octets(origin).to_vec();
        assert_eq!(corpus.find(&name), Some(origin));
        assert_eq!(corpus.find_after(Some(origin), &name), Some(origin));
        assert_eq!(corpus.likely(corpus.hash(&name)), Some(origin));
        said.push(format!("{origin:?} {}", corpus.origin_name(origin)));
        said.extend(corpus.captures(origin).map(capture));
        let site = corpus.latest(origin, &Policy::RFC9309);
        said.push(format!("  {site:?} {:?}", corpus.redirects(origin, site.time)));
    }
    for (url, captures) in corpus.targets() {
        said.push(String::from_utf8_lossy(url).into_owned());
        said.extend(captures.map(capture));
    }
    for body in corpus.body_ids() {
        let program = corpus.program(body).map(|program| program.octets().to_vec());
        let (digest, facts) = (corpus.digest(body), corpus.body_facts(body));
        said.push(format!(
            "{body:?} {digest:?} {facts:?} {program:?} {:?}",
            corpus.text(body).ok()
        ));
    }
    said.push(format!("{:?}", corpus.source_names().unwrap()));
    said.push(format!("{} {}", corpus.num_origins(), corpus.num_bodies()));
    corpus.check().unwrap();
    said
}

#[track_caller]
fn assert_same(found: &Corpus, expected: &[String], what: &str) {
    let found = said(found);
    let differs = found.iter().zip(expected).position(|(one, other)| one != other);
    if let Some(at) = differs {
        panic!("{what}: {}\nis not {}", found[at], expected[at]);
    }
    assert_eq!(found.len(), expected.len(), "{what}");
}

#[test]
fn shards_hold_what_one_build_does() {
    for (seed, origins) in [(1, 40), (2, 200), (3, 9)] {
        let (bench, captures) = (Bench::new(), crawl::captures(seed, origins));
        let report = build(&bench.path("whole"), &captures, How::default());
        for dialect in [Dialect::RFC9309, Dialect::GOOGLE] {
            let whole = Corpus::open(&bench.path("whole"), &dialect).unwrap();
            assert_eq!(whole.num_shards(), None);
            let expected = said(&whole);
            for shards in [1, 2, 5] {
                let name = format!("root{shards}");
                if !bench.exists(&name) {
                    let root = bench.path(&name);
                    let settled = build_shards(&root, &captures, shards, How::default());
                    assert_eq!((settled.origins, settled.bodies), (report.origins, report.bodies));
                    assert_eq!(settled.counts.captures, report.counts.captures);
                    let imported = settled.counts.imported;
                    let is_large = shards > 1 && origins > 9;
                    assert!(if is_large { imported > 20 } else { shards > 1 || imported == 0 });
                    assert_eq!(
                        settled.counts.revisits_unresolved,
                        report.counts.revisits_unresolved
                    );
                }
                let root = Corpus::open(&bench.path(&name), &dialect).unwrap();
                assert_eq!(root.num_shards(), Some(shards));
                assert_same(&root, &expected, &format!("seed {seed}, {shards} shards"));
            }
        }
    }
}

/// Asked together, shards need nothing of each other: what one lacks stands in the other.
#[test]
fn without_imports_the_whole_is_the_same() {
    let (bench, captures) = (Bench::new(), crawl::captures(7, 60));
    build(&bench.path("whole"), &captures, How::default());
    let how = How { imports: false, ..How::default() };
    let settled = build_shards(&bench.path("root"), &captures, 5, how);
    assert_eq!(settled.counts.imported, 0);
    let [whole, root] = ["whole", "root"].map(|name| Corpus::open_any(&bench.path(name)).unwrap());
    assert_same(&root, &said(&whole), "without imports");
}

/// Where one shard is all there is of a corpus, what it holds of others has numbers after all others.
#[test]
fn a_shard_whose_neighbours_are_missing_still_opens() {
    let (bench, captures) = (Bench::new(), crawl::captures(5, 60));
    let first = crate::cut::cut(&captures, 2, true).swap_remove(0);
    build(&bench.path("root/shard-00000"), &first, How::default());
    let settled = robosift::corpus::settle_shards(&bench.path("root")).unwrap();
    let root = Corpus::open_any(&bench.path("root")).unwrap();
    assert_eq!(root.num_bodies() as u64, settled.bodies);
    let served = root.body_ids().map(|body| root.body_facts(body).unwrap().1 > 0);
    assert!(served.is_sorted_by_key(|is_served| !is_served), "bodies of origins come first");
    let alone = Corpus::open_any(&bench.path("root/shard-00000")).unwrap();
    assert_eq!(root.num_bodies(), alone.num_bodies());
    assert_eq!(root.targets().count(), alone.targets().count());
}
