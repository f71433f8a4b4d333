//! Where the robots.txt comes from: a file, a saved response, a corpus, or captures that are compiled in memory.

use std::fs;
use std::io::Read;
use std::path::Path;

use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, ColumnNames, SourceOptions, SourceReport};
use robosift::corpus::{Access, Corpus, CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{AskedUrl, Settings, hear};
use robosift::explain::{Exchange, Finding, Hop, Keeping, KnownTexts};
use robosift::parse::Dialect;
use robosift::text::origin::Origin;

use super::arguments::ExplainArguments;
use crate::cli::bodies::{self, Beginning};
use crate::cli::message::{CliError, notes, skipped};

/// A corpus that can be asked, and what it does not hold itself.
pub(super) struct Source {
    pub(super) corpus: Corpus,
    /// The same, opened in the other dialect.
    pub(super) twin: Option<Corpus>,
    pub(super) texts: KnownTexts,
    pub(super) hops: Vec<Hop>,
    /// The one body is longer than what was read of it.
    pub(super) is_beginning: bool,
}

impl Source {
    fn of(corpus: Corpus, texts: KnownTexts) -> Self {
        Source { corpus, twin: None, texts, hops: Vec::new(), is_beginning: false }
    }
}

/// Opens or reads what the arguments name.
pub(super) fn load(arguments: &ExplainArguments, settings: &Settings) -> Result<Source, CliError> {
    let source = &arguments.source;
    let limit = BodyLimit::new(arguments.judging.body_limit);
    if let Some(path) = arguments.file.as_deref().or(source.robots.as_deref()) {
        let Beginning { text, is_cut, .. } = bodies::read(path, limit)?;
        let read = of_body(text, &arguments.url, settings, limit)?;
        return Ok(Source { is_beginning: is_cut, ..read });
    }
    if let Some(path) = &source.response {
        return of_response(path, &arguments.url, settings, limit);
    }
    match source.corpus.as_slice() {
        [] => Err(CliError::usage(
            "no robots.txt is given: name one with --robots FILE, --response FILE or --corpus PATH",
        )),
        [path] if Corpus::is_at(path) => match built(path, settings, limit)? {
            Some(source) => Ok(source),
            None => of_sources(arguments, settings, limit),
        },
        _ => of_sources(arguments, settings, limit),
    }
}

/// All octets of a file, or of standard input.
fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    if bodies::is_stdin(path) {
        let mut octets = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut octets);
        return read
            .map(|_| octets)
            .map_err(|error| CliError::failed(format!("standard input: {error}")));
    }
    fs::read(path).map_err(|error| CliError::failed(format!("{}: {error}", path.display())))
}

/// A URL that is none has no origin; anything stands in, since nothing is asked of it.
fn origin_of(url: &str) -> String {
    Origin::parse(url.as_bytes())
        .map_or_else(|| "https://no-origin.invalid".to_owned(), |origin| origin.as_str().to_owned())
}

fn of_body(
    body: Vec<u8>,
    url: &str,
    settings: &Settings,
    limit: BodyLimit,
) -> Result<Source, CliError> {
    let mut texts = KnownTexts::default();
    texts.add(body.clone());
    let capture = RawCapture {
        place: Place::Origin(origin_of(url).into_bytes()),
        body: Some(body),
        ..RawCapture::default()
    };
    let mut builder = CorpusBuilder::new(settings.dialect, limit);
    builder.add(capture).map_err(CliError::failed)?;
    Ok(Source::of(builder.finish().map_err(CliError::failed)?, texts))
}

fn of_response(
    path: &Path,
    url: &str,
    settings: &Settings,
    limit: BodyLimit,
) -> Result<Source, CliError> {
    let exchange = Exchange::parse(&read(path)?, &origin_of(url))
        .map_err(|error| CliError::failed(format!("{} {error}", path.display())))?;
    let mut texts = KnownTexts::default();
    texts.add(exchange.body.clone());
    let mut builder = CorpusBuilder::new(settings.dialect, limit);
    for capture in exchange.captures() {
        builder.add(capture).map_err(CliError::failed)?;
    }
    let corpus = builder.finish().map_err(CliError::failed)?;
    Ok(Source { hops: exchange.hops(), ..Source::of(corpus, texts) })
}

/// A built corpus as it stands; `None` where it was built with another body limit.
fn built(path: &Path, settings: &Settings, limit: BodyLimit) -> Result<Option<Source>, CliError> {
    let corpus = Corpus::open(path, &settings.dialect).map_err(CliError::failed)?;
    if corpus.facts().limit != limit {
        return Ok(None);
    }
    let other = Dialect::ALL.into_iter().find(|dialect| dialect.name != settings.dialect.name);
    let twin = other.filter(|_| !corpus.facts().has_texts);
    let twin = twin.and_then(|dialect| Corpus::open(path, &dialect).ok());
    Ok(Some(Source { twin, ..Source::of(corpus, KnownTexts::default()) }))
}

/// Captures as they are, compiled in memory. The texts that the URL's origin served are kept on the way; one that a redirect
/// leads to is read again.
fn of_sources(
    arguments: &ExplainArguments,
    settings: &Settings,
    limit: BodyLimit,
) -> Result<Source, CliError> {
    let options = options(arguments)?;
    let paths = &arguments.source.corpus;
    let mut report = SourceReport::default();
    let mut builder = CorpusBuilder::new(settings.dialect, limit);
    let mut keeping = Keeping::new(&mut builder, origins(&arguments.url));
    for path in paths {
        sources::load(path, &options, &mut keeping, &mut report).map_err(CliError::failed)?;
    }
    let mut texts = keeping.into_texts();
    let corpus = builder.finish().map_err(CliError::failed)?;
    if !arguments.quiet && !arguments.json {
        notes(&report.notes);
    }
    skipped(report.skipped.kept(), report.skipped.count(), false);
    for (digest, len) in missing(&corpus, &texts, arguments, settings) {
        let mut finding = Finding::new(digest, len);
        for path in paths {
            let mut report = SourceReport::default();
            sources::load(path, &options, &mut finding, &mut report).map_err(CliError::failed)?;
        }
        finding.into_found().into_iter().for_each(|text| texts.add(text));
    }
    Ok(Source::of(corpus, texts))
}

fn options(arguments: &ExplainArguments) -> Result<SourceOptions, CliError> {
    let map = arguments.source.robots_columns.as_deref();
    let columns = map.map(ColumnNames::parse).transpose().map_err(CliError::usage)?;
    Ok(SourceOptions {
        columns: columns.unwrap_or_default(),
        // A single robots.txt among the sources is the one that the URL asks for.
        origin: Some(origin_of(&arguments.url)),
        ..SourceOptions::default()
    })
}

/// The URL's origin, and the same host under the other scheme.
fn origins(url: &str) -> Vec<String> {
    let own = origin_of(url);
    let twin = match own.strip_prefix("https://") {
        Some(host) => format!("http://{host}"),
        None => own.replacen("http://", "https://", 1),
    };
    vec![own, twin]
}

/// Bodies that answer and whose texts are not known yet, by digest and length.
fn missing(
    corpus: &Corpus,
    texts: &KnownTexts,
    arguments: &ExplainArguments,
    settings: &Settings,
) -> Vec<([u8; 32], u64)> {
    let Some(url) = AskedUrl::read(arguments.url.as_bytes(), settings) else { return Vec::new() };
    let heard = hear(corpus, &url, arguments.at, settings);
    let sites = std::iter::once(&heard.site).chain(&heard.later);
    let bodies = sites.filter_map(|site| match site.access {
        Access::Rules(body) => Some((*corpus.digest(body)?, corpus.body_facts(body)?.0)),
        _ => None,
    });
    bodies.filter(|(digest, _)| texts.get(digest).is_none()).collect()
}
