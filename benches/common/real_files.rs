//! The real robots files of the shared test data.

use std::path::{Path, PathBuf};

use robosift::table::{BatchLimits, Octets, ParquetFile};

use super::w1::RealFile;

/// All files; `None` where the shared test data is absent.
pub(crate) fn load() -> Option<Vec<RealFile>> {
    let table = ParquetFile::open(&path()?).unwrap();
    let columns = [table.column("origin").unwrap(), table.column("body").unwrap()];
    let limits = BatchLimits { rows: 1_000, octets: 64 << 20 };
    let mut files = Vec::new();
    for group in 0..table.num_row_groups() {
        for batch in table.read(group, &columns, limits).unwrap() {
            let batch = batch.unwrap();
            let origins = Octets::try_new(batch[0].as_ref()).unwrap();
            let bodies = Octets::try_new(batch[1].as_ref()).unwrap();
            for row in 0..origins.len() {
                let (origin, body) = (origins.value(row).unwrap(), bodies.value(row).unwrap());
                let seed = files.len() as u64;
                files.push(RealFile::new(origin, body, seed));
            }
        }
    }
    Some(files)
}

/// Where the shared test data lies: beside the crate, or beside a folder that it is in.
fn path() -> Option<PathBuf> {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let paths = folders.map(|folder| folder.join("shared/data/real_robots.parquet"));
    paths.into_iter().find(|path| path.exists())
}
