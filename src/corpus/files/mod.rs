//! The files of a corpus on disk: Arrow IPC tables and plain octets, mapped, read without copying.
//!
//! ```text
//! RecordBatch ─TableWriter─▶ SummingWriter ─▶ name, name.sums ─FolderWriter─▶ manifest.json
//! manifest.json ─Folder─▶ Region (mapped, verified block by block) ─▶ Table ─▶ values of rows
//! ```
//!
//! Enters: record batches and octets to write; a folder to read. Leaves: numbers and octets by column
//! and row. Opening costs some reads of metadata whatever the size of the folder; a block of a file is
//! checked against its checksum when it is first read. A folder may be damaged or made by an attacker: every
//! read is bounds-checked, and what fails is noted in the [`Damage`] that its owner asks before anything read leaves.
//! What the columns mean is not known here.

mod create;
mod damage;
mod error;
mod folder;
mod manifest;
mod map;
mod region;
mod summing;
mod sums;
mod table;

pub use create::{FolderFile, FolderTable, FolderWriter};
pub(in crate::corpus) use create::{sync_folder, sync_name};
pub use damage::Damage;
pub use error::FilesError;
pub use folder::Folder;
pub use manifest::{FORMAT_VERSION, FileEntry, MANIFEST_NAME, Manifest};
pub use region::Region;
pub use summing::{Summed, SummingWriter};
pub use sums::BLOCK_LEN;
pub use table::{Fixed, Number, Numbers, Table, TableShape, TableWriter, Texts};
