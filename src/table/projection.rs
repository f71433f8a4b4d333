//! Which parts of a file's schema are read, and as what.
//!
//! **Purpose.** Build the schema that the Arrow reader is given: only the leaves wanted, string-like ones without their annotation, so
//! that they come out as octets (BinaryView) and no row is lost to invalid UTF-8; and never the `ARROW:schema` that a file may carry.
//! **Enters**: the file's schema, columns, whole top-level columns to carry. **Leaves**: field levels and where each array will be.
//! **Cost**: linear in the schema. **Must not know**: row groups.

use super::columns::{Column, dictionary_type};
use arrow::array::{Array, ArrayRef, AsArray, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema};
use parquet::arrow::{
    FieldLevels, ProjectionMask, parquet_to_arrow_field_levels, parquet_to_arrow_schema_by_columns,
};
use parquet::basic::{ConvertedType, LogicalType, Type as PhysicalType};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use std::sync::Arc;

/// What is read of a file and how the arrays are found in what the reader returns.
#[derive(Clone)]
pub(crate) struct Projection {
    pub(crate) levels: FieldLevels,
    /// Leaf numbers in the file, in the order of the projected schema.
    pub(crate) leaves: Vec<usize>,
    /// The carried top-level fields, in the order asked for.
    pub(crate) kept: Vec<FieldRef>,
    /// For each column: the root it is in, then child numbers.
    paths: Vec<Vec<usize>>,
}

struct Roots {
    types: Vec<TypePtr>,
    leaves: Vec<usize>,
    /// Roots that are read as dictionaries.
    dictionaries: Vec<usize>,
}

impl Projection {
    /// Plans to read `columns`, and the whole top-level columns numbered `kept`.
    pub(crate) fn new(
        schema: &SchemaDescriptor,
        columns: &[Column],
        kept: &[usize],
    ) -> Result<Self> {
        let mut roots = Roots { types: Vec::new(), leaves: Vec::new(), dictionaries: Vec::new() };
        for root in kept {
            roots.add_whole(schema, *root)?;
        }
        let mut paths = Vec::with_capacity(columns.len());
        for column in columns {
            paths.push(roots.add_leaf(schema, column, kept)?);
        }
        let root = Type::group_type_builder("schema").with_fields(roots.types).build()?;
        let read = SchemaDescriptor::new(Arc::new(root));
        let all = ProjectionMask::all();
        let plain = parquet_to_arrow_schema_by_columns(&read, all.clone(), None)?;
        let as_read = |(at, field): (usize, &FieldRef)| match roots.dictionaries.contains(&at) {
            true => Arc::new(Field::clone(field).with_data_type(dictionary_type())),
            false => as_octets(field),
        };
        let fields: Fields = plain.fields().iter().enumerate().map(as_read).collect();
        let levels = parquet_to_arrow_field_levels(&read, all, Some(&fields))?;
        let kept = fields.iter().take(kept.len()).cloned().collect();
        Ok(Self { levels, leaves: roots.leaves, kept, paths })
    }

    /// The arrays of the columns, flattened: where a struct is null, so is what is in it.
    pub(crate) fn flatten(&self, roots: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        self.paths.iter().map(|path| flatten(roots, path)).collect()
    }
}

impl Roots {
    fn add_whole(&mut self, schema: &SchemaDescriptor, root: usize) -> Result<()> {
        let field = child(schema.root_schema(), root)?;
        self.types.push(without_annotation(field)?);
        let leaves =
            (0..schema.num_columns()).filter(|leaf| schema.get_column_root_idx(*leaf) == root);
        self.leaves.extend(leaves);
        Ok(())
    }

    /// Adds a root with this leaf alone, unless its root is carried whole anyway.
    fn add_leaf(
        &mut self,
        schema: &SchemaDescriptor,
        column: &Column,
        kept: &[usize],
    ) -> Result<Vec<usize>> {
        let (root, below) = column.path.split_first().ok_or_else(|| missing("path"))?;
        if let Some(at) = kept.iter().position(|kept| kept == root) {
            return Ok(std::iter::once(at).chain(below.iter().copied()).collect());
        }
        let field = child(schema.root_schema(), *root)?;
        self.types.push(pruned(field, below)?);
        self.leaves.push(column.leaf);
        let at = self.types.len() - 1;
        if column.as_dictionary {
            self.dictionaries.push(at);
        }
        Ok(std::iter::once(at).chain(below.iter().map(|_| 0)).collect())
    }
}

/// The Arrow type that a single leaf will have.
pub(crate) fn leaf_type(schema: &SchemaDescriptor, path: &[usize]) -> Result<DataType> {
    let (root, below) = path.split_first().ok_or_else(|| missing("path"))?;
    let root = pruned(child(schema.root_schema(), *root)?, below)?;
    let root = Type::group_type_builder("schema").with_fields(vec![root]).build()?;
    let read = SchemaDescriptor::new(Arc::new(root));
    let fields: Schema = parquet_to_arrow_schema_by_columns(&read, ProjectionMask::all(), None)?;
    let mut data_type =
        fields.fields().first().map(as_octets).map(|field| field.data_type().clone());
    while let Some(DataType::Struct(inner)) = &data_type {
        data_type = inner.first().map(|field| field.data_type().clone());
    }
    data_type.ok_or_else(|| missing("type"))
}

fn missing(what: &str) -> ParquetError {
    ParquetError::General(format!("a column has no {what}"))
}

fn child(group: &Type, at: usize) -> Result<&TypePtr> {
    group.get_fields().get(at).ok_or_else(|| missing("place in the schema"))
}

/// `field` with only the leaf at `below` in it.
fn pruned(field: &TypePtr, below: &[usize]) -> Result<TypePtr> {
    match below.split_first() {
        None => without_annotation(field),
        Some((at, deeper)) => {
            let only = pruned(child(field, *at)?, deeper)?;
            group_like(field, vec![only])
        }
    }
}

/// `field` with string-like leaves turned into plain octets.
fn without_annotation(field: &TypePtr) -> Result<TypePtr> {
    if field.is_group() {
        let fields = field.get_fields().iter().map(without_annotation).collect::<Result<_>>()?;
        return group_like(field, fields);
    }
    if !is_string_like(field) {
        return Ok(Arc::clone(field));
    }
    let info = field.get_basic_info();
    let plain = Type::primitive_type_builder(field.name(), PhysicalType::BYTE_ARRAY)
        .with_repetition(info.repetition())
        .with_id(info.has_id().then(|| info.id()));
    plain.build().map(Arc::new)
}

fn is_string_like(leaf: &Type) -> bool {
    if leaf.get_physical_type() != PhysicalType::BYTE_ARRAY {
        return false;
    }
    let info = leaf.get_basic_info();
    match info.logical_type_ref() {
        Some(LogicalType::String | LogicalType::Json | LogicalType::Bson | LogicalType::Enum) => {
            true
        }
        Some(_) => false,
        None => matches!(
            info.converted_type(),
            ConvertedType::UTF8 | ConvertedType::JSON | ConvertedType::BSON | ConvertedType::ENUM
        ),
    }
}

fn group_like(group: &Type, fields: Vec<TypePtr>) -> Result<TypePtr> {
    let info = group.get_basic_info();
    let mut built = Type::group_type_builder(group.name())
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned())
        .with_fields(fields)
        .with_id(info.has_id().then(|| info.id()));
    if info.has_repetition() {
        built = built.with_repetition(info.repetition());
    }
    built.build().map(Arc::new)
}

/// The same field with Binary read as views, which no length of a column can overflow.
fn as_octets(field: &FieldRef) -> FieldRef {
    let inner = |field: &FieldRef| as_octets(field);
    let data_type = match field.data_type() {
        DataType::Binary => DataType::BinaryView,
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(inner).collect()),
        DataType::List(item) => DataType::List(inner(item)),
        DataType::Map(entries, sorted) => DataType::Map(inner(entries), *sorted),
        other => other.clone(),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

fn flatten(roots: &[ArrayRef], path: &[usize]) -> Result<ArrayRef> {
    let (root, below) = path.split_first().ok_or_else(|| missing("path"))?;
    let mut array = roots.get(*root).cloned().ok_or_else(|| missing("array"))?;
    let mut nulls: Option<NullBuffer> = None;
    for at in below {
        let parent = array.as_struct_opt().ok_or_else(|| missing("struct around it"))?;
        nulls = NullBuffer::union(nulls.as_ref(), parent.nulls());
        let field = parent.columns().get(*at).cloned();
        array = field.ok_or_else(|| missing("array"))?;
    }
    match nulls {
        Some(nulls) if array.data_type() != &DataType::Null => with_nulls(&array, &nulls),
        _ => Ok(array),
    }
}

fn with_nulls(array: &ArrayRef, outer: &NullBuffer) -> Result<ArrayRef> {
    let nulls = NullBuffer::union(array.nulls(), Some(outer));
    let data = array.to_data().into_builder().nulls(nulls);
    Ok(make_array(data.build()?))
}
