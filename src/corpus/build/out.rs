//! Where the tables of a corpus go: memory, or a folder.
//!
//! Enters: record batches. Leaves: tables in memory, or the files of a folder. Must not know: what the tables mean.

use std::collections::BTreeMap;

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;

use crate::corpus::files::{
    Damage, FilesError, FolderFile, FolderTable, FolderWriter, Region, Table, TableWriter,
};

/// Takes tables.
#[derive(Debug)]
pub(super) enum Out {
    Memory(MemoryTables),
    Folder(FolderWriter),
}

/// Tables in memory by name.
#[derive(Debug, Default)]
pub(in crate::corpus) struct MemoryTables {
    pub(in crate::corpus) damage: Damage,
    tables: BTreeMap<&'static str, Table>,
}

/// A table under way.
pub(super) struct OutTable {
    name: &'static str,
    schema: SchemaRef,
    writer: Writer,
}

enum Writer {
    Memory(TableWriter<Vec<u8>>),
    Folder(FolderTable),
}

impl Out {
    /// Begins a table; in memory, room is made for `octets`.
    pub(super) fn table(
        &self,
        name: &'static str,
        schema: &SchemaRef,
        rows_per_batch: u32,
        octets: usize,
    ) -> Result<OutTable, FilesError> {
        let writer = match self {
            Out::Memory(_) => {
                let room = Vec::with_capacity(octets);
                Writer::Memory(TableWriter::try_new(name, room, schema, rows_per_batch)?)
            }
            Out::Folder(folder) => Writer::Folder(folder.table(name, schema, rows_per_batch)?),
        };
        Ok(OutTable { name, schema: SchemaRef::clone(schema), writer })
    }

    /// Ends a table.
    pub(super) fn close(&mut self, table: OutTable) -> Result<(), FilesError> {
        match (self, table.writer) {
            (Out::Memory(memory), Writer::Memory(writer)) => {
                let (octets, _) = writer.finish()?;
                let region = Region::heap(table.name, octets, &memory.damage);
                memory.tables.insert(table.name, Table::open(region, &table.schema)?);
            }
            (Out::Folder(folder), Writer::Folder(writer)) => {
                folder.close_table(writer)?;
            }
            // A table goes where it was begun.
            (Out::Memory(_), Writer::Folder(_)) | (Out::Folder(_), Writer::Memory(_)) => {
                return Err(FilesError::mismatch(&table.name.into(), "was begun elsewhere"));
            }
        }
        Ok(())
    }
}

impl Out {
    /// Begins a file that is no table.
    pub(super) fn file(&self, name: &str) -> Result<FolderFile, FilesError> {
        match self {
            Out::Folder(folder) => folder.file(name),
            Out::Memory(_) => Err(FilesError::mismatch(&name.into(), "kept in folders only")),
        }
    }

    /// Ends a file that is no table.
    pub(super) fn close_file(&mut self, file: FolderFile) -> Result<(), FilesError> {
        match self {
            Out::Folder(folder) => folder.close_file(file),
            Out::Memory(_) => Ok(()),
        }
    }

    /// The folder, where it went there.
    pub(super) fn into_folder(self) -> Result<FolderWriter, FilesError> {
        match self {
            Out::Folder(folder) => Ok(folder),
            Out::Memory(_) => Err(FilesError::mismatch(&"corpus".into(), "kept in memory")),
        }
    }

    /// The tables, where they were kept in memory.
    pub(super) fn into_memory(self) -> MemoryTables {
        match self {
            Out::Memory(tables) => tables,
            Out::Folder(_) => MemoryTables::default(),
        }
    }
}

impl OutTable {
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), FilesError> {
        match &mut self.writer {
            Writer::Memory(writer) => writer.write(batch),
            Writer::Folder(writer) => writer.write(batch),
        }
    }

    pub(super) fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }
}

impl MemoryTables {
    /// Takes a table out.
    pub(in crate::corpus) fn take(&mut self, name: &'static str) -> Result<Table, FilesError> {
        let missing = || FilesError::mismatch(&name.into(), "was not built");
        self.tables.remove(name).ok_or_else(missing)
    }
}
