//! Maps a file into memory: the only `unsafe` of the crate.
//!
//! Enters: an open file. Leaves: its octets, shared and read-only, paged in as they are read. Must not know
//! what they mean: whoever reads them takes them as untrusted.
//!
//! # Contract
//! Nobody truncates or writes the file while it is mapped. The types cannot hold this: the operating
//! system lets others change it. Our own writers keep it: a finished folder is never written again, a new one takes
//! its name by renaming. Who truncates a mapped file ends the process (SIGBUS), who writes it may have the change
//! read past the checksums.
#![allow(unsafe_code, reason = "mapping a file cannot be safe; its contract stands above")]

use std::fs::File;
use std::io;

use bytes::Bytes;
use memmap2::Mmap;

/// The whole file. Cost: one system call, whatever the length.
pub(super) fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: the mapping is private to `Bytes`, which gives out shared slices only and keeps it alive for as
    // long as one of them. That no one else changes the file is the contract of this module.
    let map = unsafe { Mmap::map(file) }?;
    Ok(Bytes::from_owner(map))
}
