//! Folders whose checksums are right and whose values are not, as who means harm would write them: an error or plain
//! verdicts, never a panic, nor room made on a number's word.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, FixedSizeBinaryArray, Int16Array, Int32Array, Int64Array,
    LargeBinaryArray, LargeStringArray, UInt64Array, new_null_array,
};
use arrow::datatypes::{DataType, Int64Type};
use arrow::ipc::reader::FileReader;
use arrow::record_batch::RecordBatch;
use robosift::corpus::files::{Folder, FolderWriter};
use robosift::corpus::{AsOf, Corpus, CorpusError, Moment, Policy, export};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

use crate::cli::Bench;
use crate::made::{self, How, octets};
use crate::random::Random;

/// Forged folders.
const FORGED: u64 = 150;

const TABLES: [&str; 8] = [
    "origins.arrow",
    "captures.arrow",
    "targets.arrow",
    "target_captures.arrow",
    "index.arrow",
    "programs.arrow",
    "texts.arrow",
    "sources.arrow",
];

/// Writes the corpus at `from` again as `to`, one column of one table made over by `forge`.
fn rewrite(from: &Path, to: &Path, mut forge: impl FnMut(&str, RecordBatch) -> RecordBatch) {
    let held = Folder::open(from).unwrap();
    let mut folder = FolderWriter::create(to, "forged").unwrap();
    for name in TABLES {
        let rows_per_batch = held.manifest().files[name].table.unwrap().rows_per_batch;
        let reader = FileReader::try_new(File::open(from.join(name)).unwrap(), None).unwrap();
        let schema = reader.schema();
        let mut table = folder.table(name, &schema, rows_per_batch).unwrap();
        for batch in reader {
            table.write(&forge(name, batch.unwrap())).unwrap();
        }
        folder.close_table(table).unwrap();
    }
    let mut rules = folder.file("rules.parquet").unwrap();
    rules.write_all(&fs::read(from.join("rules.parquet")).unwrap()).unwrap();
    folder.close_file(rules).unwrap();
    let manifest = held.manifest();
    manifest.counts.iter().for_each(|(name, count)| folder.count(name, *count));
    manifest.settings.iter().for_each(|(name, value)| folder.setting(name, value.clone()));
    folder.finish().unwrap();
}

/// The column with some of its values made hostile.
fn forged(column: &ArrayRef, is_nullable: bool, random: &mut Random) -> ArrayRef {
    if is_nullable && random.one_in(8) {
        return new_null_array(column.data_type(), column.len());
    }
    let numbers = [i64::MIN, -1, 0, 1, 7, 1 << 15, (1 << 31) - 1, 1 << 31, 1 << 40, i64::MAX];
    let of_all = random.one_in(4);
    let mut hits =
        (0..column.len()).map(|_| of_all || random.one_in(5)).collect::<Vec<_>>().into_iter();
    let mut number = |own: i64| if hits.next() == Some(true) { random.pick(&numbers) } else { own };
    match column.data_type() {
        DataType::Int16 => {
            let own = column.as_primitive::<arrow::datatypes::Int16Type>().iter();
            let made = own.map(|own| i16::try_from(number(own.unwrap_or(0).into())).unwrap_or(-7));
            Arc::new(made.map(Some).collect::<Int16Array>())
        }
        DataType::Int32 => {
            let own = column.as_primitive::<arrow::datatypes::Int32Type>().iter();
            let made =
                own.map(|own| i32::try_from(number(own.unwrap_or(0).into())).unwrap_or(i32::MAX));
            Arc::new(made.map(Some).collect::<Int32Array>())
        }
        DataType::Int64 => {
            let own = column.as_primitive::<Int64Type>().iter();
            Arc::new(own.map(|own| Some(number(own.unwrap_or(0)))).collect::<Int64Array>())
        }
        DataType::UInt64 => {
            let own = column.as_primitive::<arrow::datatypes::UInt64Type>().iter();
            let made = own.map(|own| Some(number(own.unwrap_or(0).cast_signed()).cast_unsigned()));
            Arc::new(made.collect::<UInt64Array>())
        }
        DataType::LargeUtf8 => {
            let own = column.as_string::<i64>().iter();
            let made = own.map(|own| match number(1) {
                1 => own.unwrap_or("").to_owned(),
                other => format!("https://h{other}.example/robots.txt"),
            });
            Arc::new(LargeStringArray::from_iter_values(made))
        }
        DataType::LargeBinary => {
            let own = column.as_binary::<i64>().iter();
            let made = own.map(|own| {
                let mut octets = own.unwrap_or_default().to_vec();
                let (at, with) = (number(1), number(3));
                let at = usize::try_from(at.unsigned_abs()).unwrap() % octets.len().max(1);
                if let (Some(octet), true) = (octets.get_mut(at), at != 1 || with != 3) {
                    *octet = u8::try_from(with & 0xFF).unwrap();
                }
                octets
            });
            Arc::new(LargeBinaryArray::from_iter_values(made))
        }
        DataType::FixedSizeBinary(len) => {
            let len = usize::try_from(*len).unwrap();
            let made =
                (0..column.len()).map(|_| vec![u8::try_from(number(1) & 0xFF).unwrap(); len]);
            Arc::new(FixedSizeBinaryArray::try_from_iter(made).unwrap())
        }
        _ => Arc::clone(column),
    }
}

/// Asks a corpus everything there is to ask.
fn ask_all(path: &Path, output: &Path) -> Result<(), CorpusError> {
    for dialect in [Dialect::RFC9309, Dialect::GOOGLE] {
        let corpus = Corpus::open(path, &dialect)?;
        ask_rows(&corpus, dialect);
        let moment = Moment { as_of: AsOf::Row, window: Some(1 << 40), nearest: true };
        for origin in corpus.origins() {
            let answer = corpus.answer(origin, &Policy::GOOGLE, &moment, Some(1 << 50));
            let mut visits = corpus.visits(origin, &Policy::GOOGLE);
            let later = [1 << 50, 0, 1 << 40, i64::MIN].map(|time| visits.later_than(time));
            let all = corpus.captures(origin).count();
            assert!(answer.site.is_some() || later.iter().all(|later| later.num_whole <= all));
        }
        let texts = corpus.body_ids().filter(|body| corpus.text(*body).is_ok()).count();
        assert!(texts <= corpus.num_bodies());
        let captures = export::write_captures(&corpus, output);
        let records = export::write_records(&corpus, output);
        captures.and(records)?;
        corpus.check()?;
    }
    Ok(())
}

fn ask_rows(corpus: &Corpus, dialect: Dialect) {
    let settings = Settings { dialect, policy: Policy::GOOGLE, ..Settings::default() };
    let asked = Asked::parse(["GPTBot", "CCBot"], &settings).unwrap();
    let url = |row: usize| Some(format!("https://h{}.example/p1/x", row * 37 % 61));
    let mixed: ArrayRef = Arc::new((0..300).map(url).collect::<arrow::array::StringArray>());
    for columns in [VerdictColumn::STANDARD.to_vec(), VerdictColumn::parse_list("full").unwrap()] {
        let (layout, suffix) = (Layout::Wide, Suffix::Auto);
        let (settings, asked) = (settings.clone(), asked.clone());
        let evaluator =
            Evaluator::try_new(corpus, settings, asked, &columns, layout, suffix).unwrap();
        let rows = RowColumns::try_new(&mixed, None, None).unwrap();
        let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
        match evaluator.evaluate(&rows, 0, &mut scratch, &mut tally) {
            Ok(verdicts) => assert_eq!(verdicts.num_rows(), 300),
            Err(error) => assert!(corpus.check().is_err(), "{error}, and no damage was noted"),
        }
    }
}

#[test]
fn forged_values_are_errors_or_verdicts_and_never_more() {
    let bench = Bench::new();
    let sources = made::write_sources(&bench, "s", 1, 120);
    let (from, to) = (bench.path("corpus"), bench.path("forged"));
    made::build(&from, &sources, How::default());
    // Written again as it is, it is the same corpus.
    rewrite(&from, &to, |_, batch| batch);
    let mut whole = octets(&to);
    whole.remove("manifest.json");
    assert!(whole.iter().all(|(name, file)| fs::read(from.join(name)).unwrap() == *file));
    ask_all(&to, &bench.path("out.parquet")).unwrap();
    let (mut errors, mut answers) = (0, 0);
    for seed in 0..FORGED {
        fs::remove_dir_all(&to).unwrap();
        let mut random = Random::new(seed);
        let hostile = random.pick(&TABLES);
        rewrite(&from, &to, |name, batch| {
            if name != hostile {
                return batch;
            }
            let schema = batch.schema();
            let mut columns = batch.columns().to_vec();
            let at = random.below(columns.len());
            columns[at] = forged(&columns[at], schema.field(at).is_nullable(), &mut random);
            RecordBatch::try_new(schema, columns).unwrap()
        });
        match ask_all(&to, &bench.path("out.parquet")) {
            Ok(()) => answers += 1,
            Err(_) => errors += 1,
        }
    }
    println!("{errors} errors, {answers} answered");
    assert!(errors > 10 && answers > 10, "{errors} errors, {answers} answered");
}
