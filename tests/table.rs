//! The table layer on good files: string types, names, structs, batches.
// A test that cannot go on says so by panicking; its numbers are small.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod parquet_files;

use arrow::array::*;
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields, Int8Type, Int32Type};
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet_files::*;
use robosift::table::{BatchLimits, Octets, ParquetFile};
use std::sync::Arc;

const LIMITS: BatchLimits = BatchLimits { rows: 1000, octets: 1 << 20 };

fn values(octets: &Octets<'_>) -> Vec<Option<Vec<u8>>> {
    (0..octets.len()).map(|row| octets.value(row).map(<[u8]>::to_vec)).collect()
}

fn some(text: &str) -> Option<Vec<u8>> {
    Some(text.as_bytes().to_vec())
}

/// All rows of one column over all row groups.
fn column_of(file: &ParquetFile, name: &str) -> Vec<Option<Vec<u8>>> {
    let column = file.column(name).unwrap();
    let mut all = Vec::new();
    for g in 0..file.num_row_groups() {
        for arrays in file.read(g, std::slice::from_ref(&column), LIMITS).unwrap() {
            all.extend(octets_of(&arrays.unwrap()[0]));
        }
    }
    all
}

#[test]
fn octets_of_every_string_type() {
    let source = vec![Some("a"), None, Some(""), Some("a string longer than twelve octets")];
    let expected = vec![some("a"), None, some(""), some("a string longer than twelve octets")];
    let text = StringArray::from(source);
    for wanted in [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
    ] {
        let array = arrow::compute::cast(&text, &wanted).unwrap();
        assert!(Octets::accepts(&wanted));
        let octets = Octets::try_new(array.as_ref()).unwrap();
        assert_eq!(values(&octets), expected, "{wanted}");
        assert_eq!((octets.key(0), octets.num_values()), (None, None));
        assert_eq!(octets.value(4), None, "past the end");
        let sliced = array.slice(1, 3);
        assert_eq!(
            values(&Octets::try_new(sliced.as_ref()).unwrap()),
            expected[1..],
            "{wanted} sliced"
        );
    }
}

#[test]
fn octets_of_fixed_size_null_and_others() {
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(
        [Some([1_u8, 2]), None].into_iter(),
        2,
    )
    .unwrap();
    assert_eq!(values(&Octets::try_new(&fixed).unwrap()), vec![Some(vec![1, 2]), None]);
    let nulls = NullArray::new(3);
    assert_eq!(values(&Octets::try_new(&nulls).unwrap()), vec![None; 3]);
    assert!(Octets::try_new(&Int64Array::from(vec![1])).is_none());
    assert!(!Octets::accepts(&DataType::Int64));
}

#[test]
fn octets_of_dictionaries_give_keys() {
    let keys = Int8Array::from(vec![Some(1), None, Some(0), Some(2), Some(1)]);
    let words = StringArray::from(vec![Some("zero"), Some("one"), None]);
    let array = DictionaryArray::<Int8Type>::try_new(keys, Arc::new(words)).unwrap();
    assert!(Octets::accepts(array.data_type()));
    let octets = Octets::try_new(&array).unwrap();
    assert_eq!(values(&octets), vec![some("one"), None, some("zero"), None, some("one")]);
    let keys: Vec<_> = (0..6).map(|row| octets.key(row)).collect();
    assert_eq!(keys, vec![Some(1), None, Some(0), Some(2), Some(1), None]);
    assert_eq!(octets.num_values(), Some(3));
    assert_eq!(octets.dictionary_value(0), Some(&b"zero"[..]));

    let keys = Int32Array::from(vec![None, None]);
    let words = StringArray::from(Vec::<&str>::new());
    let empty = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(words)).unwrap();
    let octets = Octets::try_new(&empty).unwrap();
    assert_eq!((values(&octets), octets.num_values()), (vec![None, None], Some(0)));
}

#[test]
fn strings_come_out_as_octets_whatever_the_encoding_and_codec() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let expected: Vec<_> = (0..3000).map(|row| text(row).map(String::into_bytes)).collect();
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for codec in codecs {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for encoding in [
                None,
                Some(Encoding::PLAIN),
                Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
                Some(Encoding::DELTA_BYTE_ARRAY),
            ] {
                let mut properties = WriterProperties::builder()
                    .set_compression(codec)
                    .set_writer_version(version)
                    .set_data_page_row_count_limit(700)
                    .set_max_row_group_row_count(Some(2000));
                if let Some(encoding) = encoding {
                    properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
                }
                let rows = batch(vec![("url", texts(0..3000))]);
                write(&path, &rows, properties.build());
                let file = ParquetFile::open(&path).unwrap();
                assert_eq!(column_of(&file, "url"), expected, "{codec} {version:?} {encoding:?}");
            }
        }
    }
}

#[test]
fn dictionary_columns_and_view_columns_are_the_same_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let expected: Vec<_> = (0..100).map(|row| text(row).map(String::into_bytes)).collect();
    for wanted in [
        DataType::Utf8View,
        DataType::LargeUtf8,
        DataType::Binary,
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
    ] {
        let array = arrow::compute::cast(&texts(0..100), &wanted).unwrap();
        write(&path, &batch(vec![("url", array)]), WriterProperties::default());
        let file = ParquetFile::open(&path).unwrap();
        assert_eq!(file.column("url").unwrap().data_type(), &DataType::BinaryView);
        assert_eq!(column_of(&file, "url"), expected, "{wanted}");
    }
}

fn nested() -> RecordBatch {
    let url = StringArray::from(vec![Some("u0"), Some("u1"), None, Some("u3")]);
    let inner_fields = Fields::from(vec![Field::new("url", DataType::Utf8, true)]);
    let inner = StructArray::new(
        inner_fields.clone(),
        vec![Arc::new(url)],
        Some(NullBuffer::from(vec![true, true, true, false])),
    );
    let outer_fields = Fields::from(vec![
        Field::new("n", DataType::Int32, false),
        Field::new("inner", DataType::Struct(inner_fields), true),
    ]);
    let outer = StructArray::new(
        outer_fields,
        vec![Arc::new(Int32Array::from(vec![10, 11, 12, 13])), Arc::new(inner)],
        Some(NullBuffer::from(vec![true, false, true, true])),
    );
    let dotted: ArrayRef = Arc::new(StringArray::from(vec!["d0", "d1", "d2", "d3"]));
    batch(vec![("Meta", Arc::new(outer)), ("with.dot", dotted)])
}

#[test]
fn dotted_paths_reach_into_structs_and_null_structs_give_nulls() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    write(&path, &nested(), WriterProperties::default());
    let file = ParquetFile::open(&path).unwrap();
    assert_eq!(file.column_names(), ["Meta.n", "Meta.inner.url", "with.dot"]);
    assert_eq!(column_of(&file, "Meta.inner.url"), vec![some("u0"), None, None, None]);
    assert_eq!(column_of(&file, "meta.INNER.url").len(), 4, "case is ignored");
    assert_eq!(column_of(&file, "with.dot")[3], some("d3"), "a name that has a dot itself");

    let columns = [file.column("with.dot").unwrap(), file.column("Meta.n").unwrap()];
    let arrays = file.read(0, &columns, LIMITS).unwrap().next().unwrap().unwrap();
    let numbers = arrays[1].as_primitive::<Int32Type>();
    let numbers: Vec<_> = numbers.iter().collect();
    assert_eq!(numbers, vec![Some(10), None, Some(12), Some(13)], "required inside a null struct");
    let error = file.column("Meta").unwrap_err();
    assert!(error.is_unusable_column() && error.to_string().contains("Meta.inner.url"), "{error}");
}

#[test]
fn missing_ambiguous_and_list_columns_are_refused_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("x"), Some("y")]);
    let word = || -> ArrayRef { Arc::new(StringArray::from(vec!["w"])) };
    let rows = batch(vec![("URL", word()), ("Url", word()), ("tags", Arc::new(list.finish()))]);
    write(&path, &rows, WriterProperties::default());
    let file = ParquetFile::open(&path).unwrap();

    let error = file.column("nope").unwrap_err();
    assert!(error.is_missing_column());
    let text = error.to_string();
    assert!(
        text.contains("f.parquet") && text.contains("\"nope\"") && text.contains("URL, Url"),
        "{text}"
    );
    assert!(file.find("nope").unwrap().is_none());

    let error = file.find("url").unwrap_err();
    assert!(error.is_unusable_column() && error.to_string().contains("URL, Url"), "{error}");
    assert_eq!(file.column("Url").unwrap().name(), "Url", "the exact spelling wins");

    for name in ["tags", "tags.list.item", "tags.list.element"] {
        if let Err(error) = file.column(name) {
            if error.is_missing_column() {
                continue;
            }
            assert!(error.to_string().contains("does not explode lists"), "{error}");
        }
    }
    assert!(file.column("tags").unwrap_err().is_unusable_column());
}

#[test]
fn a_column_of_type_null_is_all_null() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    write(&path, &batch(vec![("url", Arc::new(NullArray::new(5)))]), WriterProperties::default());
    let file = ParquetFile::open(&path).unwrap();
    let column = file.column("url").unwrap();
    assert_eq!(column.data_type(), &DataType::Null);
    let arrays = file.read(0, &[column], LIMITS).unwrap().next().unwrap().unwrap();
    assert_eq!(values(&Octets::try_new(arrays[0].as_ref()).unwrap()), vec![None; 5]);
}

#[test]
fn no_rows_and_no_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    write(&path, &plain_batch(0), WriterProperties::default());
    let file = ParquetFile::open(&path).unwrap();
    assert_eq!((file.num_rows(), file.num_row_groups()), (0, 0));
    assert_eq!(file.row_group_rows(0), 0);
    let column = file.column("url").unwrap();
    assert_eq!(file.read(0, &[column], LIMITS).unwrap().count(), 0);
}

#[test]
fn batches_keep_to_their_limits_and_cover_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 10_000, 4_000);
    let file = ParquetFile::open(&path).unwrap();
    let columns = [file.column("n").unwrap(), file.column("url").unwrap()];
    assert_eq!(file.num_row_groups(), 3);
    assert!(
        file.compressed_len(0, &columns) > 0 && file.compressed_len(0, &columns) < file.file_len()
    );
    assert!(file.uncompressed_len(0, &columns) >= file.uncompressed_len(0, &columns[..1]));
    let mut next = 0_i64;
    for g in 0..3 {
        let limits = BatchLimits { rows: 300, octets: usize::MAX };
        for arrays in file.read(g, &columns, limits).unwrap() {
            let arrays = arrays.unwrap();
            assert!(arrays[0].len() <= 300);
            let numbers = arrays[0].as_primitive::<arrow::datatypes::Int64Type>();
            for number in numbers.values() {
                assert_eq!(*number, next);
                next += 1;
            }
        }
    }
    assert_eq!(next, 10_000);
    let tiny = BatchLimits { rows: 300, octets: 0 };
    let first = file.read(0, &columns, tiny).unwrap().next().unwrap().unwrap();
    assert_eq!(first[0].len(), 1, "one row is always read");
}

#[test]
fn a_shared_file_is_read_from_many_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 20_000, 500);
    let file = ParquetFile::open(&path).unwrap();
    let expected = column_of(&file, "url");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(column_of(&file.clone(), "url"), expected));
        }
    });
}

#[test]
fn a_file_that_is_not_there_is_an_io_error() {
    let error = ParquetFile::open(std::path::Path::new("/no/such/file.parquet")).err().unwrap();
    assert!(error.is_io() && !error.is_damaged());
    assert!(error.to_string().contains("/no/such/file.parquet"));
    let folder = tempfile::tempdir().unwrap();
    assert!(ParquetFile::open(folder.path()).err().unwrap().is_io());
}
