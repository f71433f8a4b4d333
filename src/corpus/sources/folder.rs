//! Files that are bodies themselves: a folder of them named by host, or a single one.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::SourceReport;
use super::capped::MOST_BODY;
use crate::corpus::{CaptureSink, CorpusError, Place, RawCapture, Status};
use crate::text::origin::Origin;

/// The files of a folder, sorted by name, hidden ones left out.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let entries = fs::read_dir(folder).map_err(|error| CorpusError::io(folder, error))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| CorpusError::io(folder, error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && !name.starts_with(['.', '_']) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(CorpusError::message(folder, "the folder holds no files"));
    }
    files.sort();
    Ok(files)
}

/// One file of a folder: `www.example.com` speaks for both schemes,
/// `https_www.example.com_8443.txt` for one origin.
pub(super) fn load_named(
    file: &Path,
    builder: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let origins = origins_of(&name);
    if origins.is_empty() {
        let message = "the name is not that of a host";
        report.skipped.push(format_args!("{}: {message}", file.display()));
        return Ok(());
    }
    let body = read(file)?;
    for origin in origins {
        builder.add(capture(origin.as_str().as_bytes().to_vec(), body.clone()))?;
    }
    Ok(())
}

/// A single robots.txt.
pub(super) fn load_single(
    file: &Path,
    origin: Option<&str>,
    builder: &mut dyn CaptureSink,
) -> Result<(), CorpusError> {
    let Some(origin) = origin else {
        return Err(CorpusError::message(
            file,
            "a single robots.txt needs --origin https://HOST to say whose it is (a table of \
             captures ends in .parquet, .jsonl or .csv, the latter two also .gz or .zst)",
        ));
    };
    let Some(origin) = Origin::parse(origin.as_bytes()) else {
        return Err(CorpusError::message(
            file,
            format!("--origin {origin} is not an origin such as https://www.example.com"),
        ));
    };
    let body = read(file)?;
    builder.add(capture(origin.as_str().as_bytes().to_vec(), body))?;
    Ok(())
}

/// The octets of a file, and no more than tell that it is longer than what is kept of a body.
fn read(file: &Path) -> Result<Vec<u8>, CorpusError> {
    let io = |error| CorpusError::io(file, error);
    let mut body = Vec::new();
    let most = (MOST_BODY as u64).saturating_add(1);
    fs::File::open(file).map_err(io)?.take(most).read_to_end(&mut body).map_err(io)?;
    Ok(body)
}

fn capture(origin: Vec<u8>, body: Vec<u8>) -> RawCapture {
    RawCapture {
        place: Place::Origin(origin),
        body: Some(body),
        status: Some(Status(200)),
        ..RawCapture::default()
    }
}

/// The origins that a file name stands for.
fn origins_of(name: &str) -> Vec<Origin> {
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let (schemes, host) = match name.split_once('_') {
        Some((scheme @ ("http" | "https"), host)) => (vec![scheme], host),
        _ => (vec!["http", "https"], name),
    };
    let (host, port) = match host.rsplit_once('_') {
        Some((host, port)) if port.bytes().all(|octet| octet.is_ascii_digit()) => (host, port),
        _ => (host, ""),
    };
    let text = |scheme: &str| format!("{scheme}://{host}:{port}");
    schemes.iter().filter_map(|scheme| Origin::parse(text(scheme).as_bytes())).collect()
}
