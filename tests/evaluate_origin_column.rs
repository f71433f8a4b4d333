//! Paths with an origin column between absolute URLs: the run of equal origins must end at each.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, StringArray};
use robosift::compile::BodyLimit;
use robosift::corpus::{CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

fn capture(origin: &str, body: &str) -> RawCapture {
    RawCapture {
        place: Place::Origin(origin.as_bytes().to_vec()),
        body: Some(body.as_bytes().to_vec()),
        ..RawCapture::default()
    }
}

#[test]
fn absolute_urls_and_paths_may_alternate() {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    builder.add(capture("https://a.example", "User-agent: *\nDisallow: /\n")).unwrap();
    builder.add(capture("https://b.example", "User-agent: *\nDisallow:\n")).unwrap();
    let corpus = builder.finish().unwrap();
    let settings = Settings::default();
    let asked = Asked::parse(["GPTBot"], &settings).unwrap();
    let columns = VerdictColumn::STANDARD;
    let evaluator =
        Evaluator::try_new(&corpus, settings, asked, &columns, Layout::Wide, Suffix::Auto).unwrap();
    let urls = ["https://a.example/x", "/x", "https://a.example/x", "/x", "https://b.example/x"];
    let origins = ["", "https://b.example", "", "https://a.example", ""];
    let urls: ArrayRef = Arc::new(StringArray::from(urls.to_vec()));
    let origins: ArrayRef = Arc::new(StringArray::from(origins.to_vec()));
    let rows = RowColumns::try_new(&urls, None, Some(&origins)).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let verdicts = evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap();
    let allowed: Vec<Option<bool>> = verdicts.column(0).as_boolean().iter().collect();
    assert_eq!(allowed, [Some(false), Some(true), Some(false), Some(false), Some(true)]);
}
