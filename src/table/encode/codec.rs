//! Compression of pages.
//!
//! **Purpose.** One call for every codec that outputs may have. **Enters**: the octets of a page. **Leaves**: them compressed.
//! **Cost**: the codec's. **Must not know**: pages.

use std::cell::RefCell;

use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};

thread_local! {
    /// Of the level used last, from page to page and column to column: making one anew costs more than a small page.
    static COMPRESSOR: RefCell<Option<(i32, zstd::bulk::Compressor<'static>)>> = const { RefCell::new(None) };
}

/// A codec with what it keeps from page to page.
pub(super) enum Codec {
    None,
    Snappy(Box<snap::raw::Encoder>),
    Lz4,
    /// Of this level.
    Zstd(i32),
}

impl Codec {
    /// # Errors
    /// A codec that outputs never have.
    pub(super) fn new(compression: Compression) -> Result<Self> {
        match compression {
            Compression::UNCOMPRESSED => Ok(Self::None),
            Compression::SNAPPY => Ok(Self::Snappy(Box::new(snap::raw::Encoder::new()))),
            Compression::LZ4_RAW => Ok(Self::Lz4),
            Compression::ZSTD(level) => Ok(Self::Zstd(level.compression_level())),
            other => Err(ParquetError::NYI(format!("compression {other}"))),
        }
    }

    pub(super) fn compress(&mut self, octets: &[u8]) -> Result<Vec<u8>> {
        match self {
            Self::None => Ok(octets.to_vec()),
            Self::Snappy(encoder) => encoder.compress_vec(octets).map_err(fail),
            Self::Lz4 => Ok(lz4_flex::block::compress(octets)),
            Self::Zstd(level) => zstd(*level, octets).map_err(fail),
        }
    }
}

fn zstd(level: i32, octets: &[u8]) -> std::io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| match kept {
        Some((of_level, compressor)) if *of_level == level => compressor.compress(octets),
        _ => {
            let compressor = zstd::bulk::Compressor::new(level)?;
            kept.insert((level, compressor)).1.compress(octets)
        }
    })
}

fn fail(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(format!("a page cannot be compressed: {error}"))
}
