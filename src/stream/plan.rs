//! The request: which files, where to, how.
//!
//! **Purpose.** Hold what the caller decided. **Enters**: paths and options. **Leaves**: a plan that [`super::run()`] carries out.
//! **Must not know**: command line flags.

use super::error::StreamError;
use super::inputs::{find_gathered, find_inputs};
use parquet::basic::{Compression, ZstdLevel};
use std::path::{Path, PathBuf};

/// One input file and its output file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The Parquet file that is read.
    pub path: PathBuf,
    /// The Parquet file that is written.
    pub output: PathBuf,
}

/// How output columns are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// Zstandard, level 1.
    #[default]
    Zstd,
    /// Snappy.
    Snappy,
    /// LZ4 (the raw variant).
    Lz4,
    /// None.
    None,
}

impl Codec {
    pub(crate) fn compression(self) -> Compression {
        match self {
            Self::Zstd => Compression::ZSTD(ZstdLevel::default()),
            Self::Snappy => Compression::SNAPPY,
            Self::Lz4 => Compression::LZ4_RAW,
            Self::None => Compression::UNCOMPRESSED,
        }
    }
}

/// What happens when an input file is damaged or cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The stream stops; outputs already whole stay.
    #[default]
    Fail,
    /// The whole file is left out and reported; the stream goes on.
    Skip,
}

/// Which top-level input columns are carried over, in front of the judge's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None.
    #[default]
    None,
    /// All, in their order.
    All,
    /// These, in this order; exactly, else ignoring ASCII case where that is unambiguous.
    Names(Vec<String>),
}

/// A request to [`super::run()`].
#[derive(Clone, Debug)]
pub struct StreamPlan {
    /// The files, in the order they are read and reported.
    pub inputs: Vec<Input>,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// Octets in flight: batches being judged and encoded columns waiting for their turn. Files themselves are never held.
    pub memory: usize,
    /// Compression of the output.
    pub codec: Codec,
    /// What happens with damaged inputs.
    pub on_error: OnError,
    /// Input columns carried over.
    pub keep: Keep,
    /// Written into the footer of every output, in this order. They tell outputs of one request from those of another.
    pub key_values: Vec<(String, String)>,
    /// Outputs that are there already, whole, with these key-values and as many rows as their input, stay, if the input was not
    /// written to since. Else everything is written anew.
    pub resume: bool,
}

/// Octets in flight unless the caller says otherwise.
const DEFAULT_MEMORY: usize = 256 << 20;

impl StreamPlan {
    /// Finds the inputs and decides the outputs.
    ///
    /// An input is a file, a folder (every `*.parquet` below it, sorted; names starting with `.` or `_` left out; linked folders not
    /// followed), or a glob pattern. One input that is a file: `output` is a file, or, where it is a folder or ends in a slash, a file of
    /// the same name in it. Otherwise `output` is a folder that mirrors the inputs below their folder or below the fixed part of the pattern.
    ///
    /// # Errors
    /// [`StreamError::is_plan`]: an input that is not there or matches nothing, two inputs with one output, an output that is an input.
    pub fn new<P: AsRef<Path>>(inputs: &[P], output: &Path) -> Result<Self, StreamError> {
        Ok(Self::of(find_inputs(inputs, output)?))
    }

    /// As [`StreamPlan::new`], for [`super::run_gathered()`]: all inputs have the same output, a file.
    ///
    /// # Errors
    /// [`StreamError::is_plan`]: an input that is not there, matches nothing, is given twice or is the output; an output that is a folder.
    pub fn gathered<P: AsRef<Path>>(inputs: &[P], output: &Path) -> Result<Self, StreamError> {
        Ok(Self::of(find_gathered(inputs, output)?))
    }

    fn of(inputs: Vec<Input>) -> Self {
        Self {
            inputs,
            threads: 0,
            memory: DEFAULT_MEMORY,
            codec: Codec::default(),
            on_error: OnError::default(),
            keep: Keep::default(),
            key_values: Vec::new(),
            resume: false,
        }
    }
}
