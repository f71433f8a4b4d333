//! Rows of places and captures on their way into tables.
//!
//! Enters: places in order, each with its captures. Leaves: batches of the tables' fixed number of rows. Memory: one
//! batch of each. Must not know: how captures were sorted.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Int16Builder, Int32Builder, Int64Builder, LargeStringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::record_batch::RecordBatch;

use super::filed::Filed;
use super::out::{Out, OutTable};
use crate::corpus::files::FilesError;
use crate::corpus::format::ROWS_PER_BATCH;

/// Writes a table of places and one of their captures.
pub(super) struct PlaceRows {
    places: OutTable,
    captures: OutTable,
    names: LargeStringBuilder,
    first_captures: Int64Builder,
    nums_captures: Int32Builder,
    num_places: u32,
    num_captures: i64,
    in_place: i32,
    rows: CaptureRows,
}

#[derive(Default)]
struct CaptureRows {
    place: Int32Builder,
    time: TimestampMicrosecondBuilder,
    status: Int16Builder,
    body: Int32Builder,
    flags: Int16Builder,
    redirect: LargeStringBuilder,
    content_type: LargeStringBuilder,
    source: Int32Builder,
    offset: Int64Builder,
    len: u32,
}

impl PlaceRows {
    pub(super) fn new(places: OutTable, captures: OutTable) -> Self {
        PlaceRows {
            places,
            captures,
            names: LargeStringBuilder::new(),
            first_captures: Int64Builder::new(),
            nums_captures: Int32Builder::new(),
            num_places: 0,
            num_captures: 0,
            in_place: 0,
            rows: CaptureRows::default(),
        }
    }

    /// Begins a place and gives its number.
    pub(super) fn begin(&mut self, name: &str) -> Result<u32, FilesError> {
        self.end_place()?;
        self.names.append_value(name);
        self.first_captures.append_value(self.num_captures);
        self.num_places += 1;
        Ok(self.num_places - 1)
    }

    /// Adds a capture of the place begun last, whose body has `body` as its final number.
    pub(super) fn push(
        &mut self,
        capture: &Filed<'_>,
        body: Option<u32>,
    ) -> Result<(), FilesError> {
        self.rows.push(self.num_places.saturating_sub(1), capture, body);
        self.in_place = self.in_place.saturating_add(1);
        self.num_captures += 1;
        if self.rows.len == ROWS_PER_BATCH {
            self.rows.write(&mut self.captures)?;
        }
        Ok(())
    }

    /// Writes what is left and closes both tables; gives the number of places.
    pub(super) fn finish(mut self, out: &mut Out) -> Result<u32, FilesError> {
        self.end_place()?;
        self.write_places()?;
        self.rows.write(&mut self.captures)?;
        out.close(self.places)?;
        out.close(self.captures)?;
        Ok(self.num_places)
    }

    fn end_place(&mut self) -> Result<(), FilesError> {
        if self.num_places == 0 {
            return Ok(());
        }
        self.nums_captures.append_value(std::mem::take(&mut self.in_place));
        match self.num_places.is_multiple_of(ROWS_PER_BATCH) {
            true => self.write_places(),
            false => Ok(()),
        }
    }

    fn write_places(&mut self) -> Result<(), FilesError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.names.finish()),
            Arc::new(self.first_captures.finish()),
            Arc::new(self.nums_captures.finish()),
        ];
        write(&mut self.places, columns)
    }
}

impl CaptureRows {
    fn push(&mut self, place: u32, capture: &Filed<'_>, body: Option<u32>) {
        self.place.append_value(place.cast_signed());
        self.time.append_option(capture.time);
        self.status.append_option(capture.status.map(|status| status.0));
        self.body.append_option(body.map(u32::cast_signed));
        self.flags.append_value(capture.flags.bits().cast_signed());
        self.redirect.append_option(capture.redirect);
        self.content_type.append_option(capture.content_type);
        self.source.append_value(capture.source.cast_signed());
        self.offset.append_option(capture.offset.and_then(|offset| i64::try_from(offset).ok()));
        self.len += 1;
    }

    fn write(&mut self, table: &mut OutTable) -> Result<(), FilesError> {
        self.len = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.place.finish()),
            Arc::new(self.time.finish().with_timezone("UTC")),
            Arc::new(self.status.finish()),
            Arc::new(self.body.finish()),
            Arc::new(self.flags.finish()),
            Arc::new(self.redirect.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.source.finish()),
            Arc::new(self.offset.finish()),
        ];
        write(table, columns)
    }
}

/// Writes columns as a batch of `table`.
pub(super) fn write(table: &mut OutTable, columns: Vec<ArrayRef>) -> Result<(), FilesError> {
    let batch = RecordBatch::try_new(table.schema(), columns);
    let batch = batch.map_err(|error| FilesError::arrow(&table.name().into(), error))?;
    table.write(&batch)
}
