//! The columns of one output file: those carried over, then the judge's.
//!
//! **Purpose.** Settle types and names before the first row. **Enters**: an input file, what to keep, the judge's schema.
//! **Leaves**: the Arrow fields that are written and the Parquet schema they are written as.
//! **Cost**: linear in the schemas. **Must not know**: rows.
//!
//! Carried columns keep the Parquet type they have in the input wherever the writer can produce it, so a string column stays a string
//! column although it travels as unchecked octets. No `ARROW:schema` is written: the Parquet types say all there is.

use super::error::StreamError;
use super::plan::{Keep, StreamPlan};
use crate::table::ParquetFile;
use arrow::datatypes::{FieldRef, Schema, SchemaRef};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::ArrowRowGroupWriterFactory;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type, TypePtr};
use std::sync::Arc;

/// How one output file is written.
pub(crate) struct Layout {
    /// Top-level columns of the input that are carried over, by number.
    pub(crate) kept: Vec<usize>,
    /// Carried fields, then the judge's.
    pub(crate) fields: Vec<FieldRef>,
    pub(crate) root: TypePtr,
    /// The leaves of `root`.
    pub(crate) columns: Vec<ColumnDescPtr>,
    pub(crate) codec: Compression,
    pub(crate) properties: WriterPropertiesPtr,
    pub(crate) factory: ArrowRowGroupWriterFactory,
}

impl Layout {
    pub(crate) fn new(
        file: &ParquetFile,
        judged: &SchemaRef,
        plan: &StreamPlan,
    ) -> Result<Self, StreamError> {
        let kept = kept_roots(file, &plan.keep)?;
        refuse_clashes(file, &kept, judged)?;
        let refuse = |error| StreamError::output(file.path(), error);
        let carried = file.project(&[], &kept)?.kept;
        let mut types = Vec::new();
        for (root, field) in kept.iter().zip(&carried) {
            types.push(carried_type(file, *root, field).map_err(refuse)?);
        }
        let converted = ArrowSchemaConverter::new().convert(judged).map_err(refuse)?;
        types.extend(converted.root_schema().get_fields().iter().cloned());
        let root = Type::group_type_builder("schema").with_fields(types).build().map_err(refuse)?;
        let fields: Vec<_> = carried.into_iter().chain(judged.fields().iter().cloned()).collect();
        let root = Arc::new(root);
        let properties = Arc::new(properties(plan));
        let blank =
            SerializedFileWriter::new(std::io::sink(), Arc::clone(&root), Arc::clone(&properties))
                .map_err(refuse)?;
        let factory =
            ArrowRowGroupWriterFactory::new(&blank, Arc::new(Schema::new(fields.clone())));
        let columns = SchemaDescriptor::new(Arc::clone(&root)).columns().to_vec();
        let codec = plan.codec.compression();
        Ok(Self { kept, fields, root, columns, codec, properties, factory })
    }

    /// Whether files of the one are written exactly as files of the other.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.kept == other.kept && self.fields == other.fields && self.root == other.root
    }
}

fn properties(plan: &StreamPlan) -> WriterProperties {
    let pairs =
        plan.key_values.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    let pairs: Vec<_> = pairs.collect();
    WriterProperties::builder()
        .set_compression(plan.codec.compression())
        // Indexes of pages would pile up in memory until the file is closed.
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata((!pairs.is_empty()).then_some(pairs))
        .build()
}

fn kept_roots(file: &ParquetFile, keep: &Keep) -> Result<Vec<usize>, StreamError> {
    match keep {
        Keep::None => Ok(Vec::new()),
        Keep::All => Ok((0..file.root_names().len()).collect()),
        Keep::Names(names) => {
            let mut roots = Vec::new();
            for name in names {
                let root = file.root(name)?;
                if roots.contains(&root) {
                    return Err(StreamError::plan(format!(
                        "column {name:?} is kept twice; name it once"
                    )));
                }
                roots.push(root);
            }
            Ok(roots)
        }
    }
}

fn refuse_clashes(
    file: &ParquetFile,
    kept: &[usize],
    judged: &SchemaRef,
) -> Result<(), StreamError> {
    let names = file.root_names();
    for name in kept.iter().filter_map(|root| names.get(*root)) {
        let same = |field: &&FieldRef| field.name().eq_ignore_ascii_case(name);
        if let Some(field) = judged.fields().iter().find(same) {
            return Err(StreamError::plan(format!(
                "{}: the kept column {name:?} has the name of the output column {:?}; keep other columns, or give the output another suffix",
                file.path().display(),
                field.name()
            )));
        }
    }
    Ok(())
}

/// The file's own type where the writer produces exactly its physical layout, else the type the writer would choose.
fn carried_type(
    file: &ParquetFile,
    root: usize,
    field: &FieldRef,
) -> parquet::errors::Result<TypePtr> {
    let schema = Schema::new(vec![Arc::clone(field)]);
    let written = ArrowSchemaConverter::new().convert(&schema)?;
    let own = file.root_type(root).filter(|own| same_layout(own, &written));
    let chosen = own.or(written.root_schema().get_fields().first()).cloned();
    chosen
        .ok_or_else(|| parquet::errors::ParquetError::General("a column without a type".to_owned()))
}

fn same_layout(own: &TypePtr, written: &SchemaDescriptor) -> bool {
    let Ok(root) = Type::group_type_builder("schema").with_fields(vec![Arc::clone(own)]).build()
    else {
        return false;
    };
    let own = SchemaDescriptor::new(Arc::new(root));
    let same = |(own, written): (&ColumnDescPtr, &ColumnDescPtr)| {
        own.physical_type() == written.physical_type()
            && own.max_def_level() == written.max_def_level()
            && own.max_rep_level() == written.max_rep_level()
            && own.type_length() == written.type_length()
    };
    own.num_columns() == written.num_columns()
        && own.columns().iter().zip(written.columns()).all(same)
}
