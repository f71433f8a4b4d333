//! Positional reads of one open file, and of one column chunk in it.
//!
//! **Purpose.** Feed the Parquet reader without a shared file offset (its own reader for `File` shares one between clones, so row groups
//! read on several threads would get each other's octets), and check each page header on the way.
//! **Enters**: an open file, offsets. **Leaves**: octets. **Cost**: one read call a page header and one a page.
//! **Must not know**: schemas, encodings.

use super::header::PageSizes;
use super::thrift::Stop;
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// First read at a page header: enough for nearly all, statistics included.
const HEADER_READ: usize = 512;

/// A page header with statistics holds two values; more than this is no header.
const MAX_HEADER: usize = 64 << 20;

/// One open file.
pub(crate) struct Source {
    file: File,
    len: u64,
    /// What the operating system said when a read failed, because the Parquet reader's own errors cannot be told apart afterwards.
    failure: Mutex<Option<String>>,
}

impl Source {
    /// Opens a file; its length is fixed from here on.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file"));
        }
        Ok(Self { file, len: metadata.len(), failure: Mutex::new(None) })
    }

    /// The message of the first read that the operating system refused, once.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Exactly `len` octets at `start`.
    pub(crate) fn read(&self, start: u64, len: usize) -> Result<Bytes> {
        let end = start.checked_add(len as u64).filter(|end| *end <= self.len);
        if end.is_none() {
            return Err(ParquetError::EOF(format!(
                "{len} octets at {start} are wanted, the file has {}",
                self.len
            )));
        }
        let mut octets = vec![0; len];
        read_exact_at(&self.file, &mut octets, start).map_err(|error| self.remember(&error))?;
        Ok(octets.into())
    }

    fn remember(&self, error: &io::Error) -> ParquetError {
        // The file was long enough when it was opened: an early end is a file that shrank meanwhile.
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert_with(|| error.to_string());
        ParquetError::EOF(error.to_string())
    }
}

#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, octets: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, octets, start)
}

#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut octets: &mut [u8], mut start: u64) -> io::Result<()> {
    while !octets.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, octets, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                octets = octets.get_mut(read..).unwrap_or_default();
                start += read as u64;
            }
        }
    }
    Ok(())
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.len
    }
}

/// One column chunk of an open file, as the Parquet reader sees it.
///
/// GZIP chunks are unpacked here and shown as uncompressed: the Parquet reader unpacks GZIP without any limit, whatever the header claims.
pub(crate) struct Chunk {
    source: Arc<Source>,
    codec: Compression,
    uncompressed_len: u64,
    /// End of the last page header read, and its sizes.
    last: Arc<Mutex<(u64, PageSizes)>>,
}

impl Chunk {
    pub(crate) fn new(source: Arc<Source>, codec: Compression, uncompressed_len: u64) -> Self {
        Self { source, codec, uncompressed_len, last: Arc::default() }
    }

    fn unpack(&self, start: u64, octets: &Bytes) -> Result<Bytes> {
        let (body, sizes) = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if body != start || sizes.compressed != octets.len() as u64 {
            return Err(ParquetError::General("a page without its header".to_owned()));
        }
        if !sizes.is_compressed {
            return Ok(octets.clone());
        }
        unpack_gzip(octets, &sizes)
    }
}

fn unpack_gzip(octets: &[u8], sizes: &PageSizes) -> Result<Bytes> {
    let plain_len = usize::try_from(sizes.plain_len)?;
    let wanted = usize::try_from(sizes.uncompressed)?;
    let (plain, packed) = octets
        .split_at_checked(plain_len)
        .ok_or_else(|| ParquetError::EOF("a page shorter than its levels".to_owned()))?;
    let mut unpacked = Vec::with_capacity(wanted.min(64 << 20));
    unpacked.extend_from_slice(plain);
    // A page of nulls alone may have no packed part at all.
    if wanted > plain_len {
        let most = (wanted - plain_len) as u64;
        let mut decoder = flate2::read::MultiGzDecoder::new(packed).take(most + 1);
        decoder
            .read_to_end(&mut unpacked)
            .map_err(|error| ParquetError::General(format!("a page is not GZIP: {error}")))?;
    }
    if unpacked.len() != wanted {
        return Err(ParquetError::General(format!(
            "a page claims to unpack to {wanted} octets and does not"
        )));
    }
    Ok(unpacked.into())
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.source.len
    }
}

impl ChunkReader for Chunk {
    type T = HeaderRead;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(HeaderRead {
            source: Arc::clone(&self.source),
            codec: self.codec,
            uncompressed_len: self.uncompressed_len,
            last: Arc::clone(&self.last),
            start,
            header: None,
            at: 0,
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let octets = self.source.read(start, length)?;
        match self.codec {
            Compression::GZIP(_) => self.unpack(start, &octets),
            _ => Ok(octets),
        }
    }
}

/// Reads one page header, checking it before the first octet is handed out.
pub(crate) struct HeaderRead {
    source: Arc<Source>,
    codec: Compression,
    uncompressed_len: u64,
    last: Arc<Mutex<(u64, PageSizes)>>,
    start: u64,
    header: Option<Bytes>,
    at: usize,
}

impl HeaderRead {
    fn load(&self) -> io::Result<Bytes> {
        let left =
            usize::try_from(self.source.len.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let mut len = HEADER_READ.min(left);
        loop {
            let octets = self.source.read(self.start, len).map_err(io::Error::other)?;
            match PageSizes::read(&octets) {
                Ok(sizes) => return self.check(&octets, sizes),
                Err(Stop::Cut) if len < left && len < MAX_HEADER => {
                    len = len.saturating_mul(4).min(left);
                }
                Err(_) => return Err(io::Error::other("a page header is not readable")),
            }
        }
    }

    fn check(&self, octets: &Bytes, sizes: PageSizes) -> io::Result<Bytes> {
        sizes.check(self.codec, self.uncompressed_len).map_err(io::Error::other)?;
        let body = self.start + sizes.header_len as u64;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (body, sizes);
        Ok(octets.slice(..sizes.header_len))
    }
}

impl Read for HeaderRead {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.header.is_none() {
            self.header = Some(self.load()?);
        }
        let left =
            self.header.as_ref().and_then(|header| header.get(self.at..)).unwrap_or_default();
        let len = left.len().min(out.len());
        if let (Some(to), Some(from)) = (out.get_mut(..len), left.get(..len)) {
            to.copy_from_slice(from);
        }
        self.at += len;
        Ok(len)
    }
}
