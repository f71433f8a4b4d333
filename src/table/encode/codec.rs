//! Compression of pages.
//!
//! **Purpose.** One call for every codec that outputs may have. **Enters**: the octets of a page. **Leaves**: them compressed.
//! **Cost**: the codec's. **Must not know**: pages.

use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};

/// A codec with what it keeps from page to page.
pub(super) enum Codec {
    None,
    Snappy(Box<snap::raw::Encoder>),
    Lz4,
    Zstd(zstd::bulk::Compressor<'static>),
}

impl Codec {
    /// # Errors
    /// A codec that outputs never have.
    pub(super) fn new(compression: Compression) -> Result<Self> {
        match compression {
            Compression::UNCOMPRESSED => Ok(Self::None),
            Compression::SNAPPY => Ok(Self::Snappy(Box::new(snap::raw::Encoder::new()))),
            Compression::LZ4_RAW => Ok(Self::Lz4),
            Compression::ZSTD(level) => {
                zstd::bulk::Compressor::new(level.compression_level()).map(Self::Zstd).map_err(fail)
            }
            other => Err(ParquetError::NYI(format!("compression {other}"))),
        }
    }

    pub(super) fn compress(&mut self, octets: &[u8]) -> Result<Vec<u8>> {
        match self {
            Self::None => Ok(octets.to_vec()),
            Self::Snappy(encoder) => encoder.compress_vec(octets).map_err(fail),
            Self::Lz4 => Ok(lz4_flex::block::compress(octets)),
            Self::Zstd(compressor) => compressor.compress(octets).map_err(fail),
        }
    }
}

fn fail(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(format!("a page cannot be compressed: {error}"))
}
