//! Tables of aligned columns, without lines.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A table with this header; all columns to the left.
pub(crate) fn left_table(header: &[&str]) -> Table {
    let mut table = unaligned();
    table.set_header(header);
    pad(&mut table);
    table
}

/// Names and values, a line each, without a header.
pub(crate) fn pairs(rows: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let mut table = unaligned();
    for (name, value) in rows {
        table.add_row([name.to_owned(), value]);
    }
    pad(&mut table);
    table.trim_fmt()
}

fn unaligned() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn pad(table: &mut Table) {
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
}

/// A table with this header; its first column to the left, the others to the right.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = left_table(header);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    table
}
