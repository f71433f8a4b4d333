//! Columns by name.
//!
//! **Purpose.** Find a leaf of a Parquet schema by its dotted name. **Enters**: a schema, a name. **Leaves**: a [`Column`], or why not.
//! **Cost**: linear in the number of leaves. **Must not know**: what the name stands for.

use super::error::{Kind, TableError};
use arrow::datatypes::DataType;
use parquet::schema::types::{SchemaDescriptor, Type};
use std::path::Path;

/// A leaf column of a file that can be read: not a list, not a map, not a struct.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) leaf: usize,
    /// Child numbers from the schema's root down to the leaf.
    pub(crate) path: Vec<usize>,
    pub(crate) data_type: DataType,
    /// Whether its arrays are to be dictionaries, where it is not carried as well.
    pub(crate) as_dictionary: bool,
}

/// The type of string-like columns that are read as dictionaries.
pub(crate) fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Binary))
}

impl Column {
    /// The name as the file spells it, parts joined with dots.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of the leaf in the file's schema, counted from 0.
    pub fn leaf(&self) -> usize {
        self.leaf
    }

    /// The Arrow type its arrays will have; string-like columns have BinaryView, or are dictionaries of
    /// Binary after [`ParquetFile::as_stored`](super::ParquetFile::as_stored).
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }
}

/// The dotted names of all leaves.
pub(crate) fn leaf_names(schema: &SchemaDescriptor) -> Vec<String> {
    schema.columns().iter().map(|leaf| leaf.path().string()).collect()
}

/// The leaf that `dotted` names: the exact spelling first, else ignoring ASCII case.
///
/// # Errors
/// The name is ambiguous, or it is a list, a map or a struct.
pub(crate) fn find_leaf(
    schema: &SchemaDescriptor,
    dotted: &str,
    file: &Path,
) -> Result<Option<usize>, TableError> {
    let refuse = |what| TableError::new(Kind::Column, file, what).in_column(dotted);
    let names = leaf_names(schema);
    let found = pick(&names, dotted).map_err(refuse)?;
    match found {
        Some(leaf) if schema.column(leaf).max_rep_level() > 0 => {
            Err(refuse(list_message(&names, leaf)))
        }
        Some(leaf) => Ok(Some(leaf)),
        None => match group_message(schema, &names, dotted) {
            Some(what) => Err(refuse(what)),
            None => Ok(None),
        },
    }
}

/// The one name that equals `wanted`, exactly or else ignoring ASCII case.
///
/// # Errors
/// A sentence that lists the candidates.
pub(crate) fn pick(names: &[String], wanted: &str) -> Result<Option<usize>, String> {
    let matching = |same: &dyn Fn(&str) -> bool| -> Vec<usize> {
        names.iter().enumerate().filter(|(_, name)| same(name)).map(|(at, _)| at).collect()
    };
    let exact = matching(&|name| name == wanted);
    let found =
        if exact.is_empty() { matching(&|name| name.eq_ignore_ascii_case(wanted)) } else { exact };
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let listed: Vec<_> = several.iter().filter_map(|at| names.get(*at)).cloned().collect();
            Err(format!("the name is ambiguous, it could be any of {}", listed.join(", ")))
        }
    }
}

fn list_message(names: &[String], leaf: usize) -> String {
    let name = names.get(leaf).map_or("", String::as_str);
    format!(
        "{name} is in a list (repeated); robosift does not explode lists, one row must hold one value"
    )
}

/// What to say when `dotted` names a group and not a leaf.
fn group_message(schema: &SchemaDescriptor, names: &[String], dotted: &str) -> Option<String> {
    let below = |name: &str| {
        name.as_bytes().get(dotted.len()) == Some(&b'.')
            && name.get(..dotted.len()).is_some_and(|head| head.eq_ignore_ascii_case(dotted))
    };
    let leaves: Vec<usize> =
        names.iter().enumerate().filter(|(_, name)| below(name)).map(|(at, _)| at).collect();
    let first = *leaves.first()?;
    if leaves.iter().all(|leaf| schema.column(*leaf).max_rep_level() > 0) {
        return Some(list_message(names, first));
    }
    let listed: Vec<_> = leaves.iter().filter_map(|at| names.get(*at)).cloned().collect();
    Some(format!("it is a struct; name one of its columns: {}", listed.join(", ")))
}

/// Child numbers from the root down to leaf number `leaf`.
pub(crate) fn path_of_leaf(root: &Type, leaf: usize) -> Option<Vec<usize>> {
    let mut seen = 0;
    let mut path = Vec::new();
    descend(root, leaf, &mut seen, &mut path).then_some(path)
}

/// Depth-first; the schema's depth is bounded when the footer is read.
fn descend(group: &Type, leaf: usize, seen: &mut usize, path: &mut Vec<usize>) -> bool {
    for (at, field) in group.get_fields().iter().enumerate() {
        path.push(at);
        let found = if field.is_primitive() {
            *seen += 1;
            *seen == leaf + 1
        } else {
            descend(field, leaf, seen, path)
        };
        if found {
            return true;
        }
        path.pop();
    }
    false
}
