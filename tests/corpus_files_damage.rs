//! Folders of a corpus with flipped bits, cut files, hostile numbers: the same values or an error, never a panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

mod corpus_tables;

use corpus_tables::*;
use robosift::corpus::files::{FilesError, Folder, FolderWriter};
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What the made-up folder holds.
struct Held {
    rows: Vec<Row>,
    plain: Vec<u8>,
}

/// Writes a folder: two tables, a plain file of many blocks.
fn write_folder(path: &Path) -> Held {
    let mut random = Random::new(7);
    let rows = random_rows(&mut random, 700);
    let plain: Vec<u8> = (0..100_000).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let mut folder = FolderWriter::create(path, "test").unwrap();
    // Open at the same time.
    let mut table = folder.table("rows.arrow", &schema(), 64).unwrap();
    let mut file = folder.file("plain.bin").unwrap();
    let empty = folder.table("empty.arrow", &schema(), 64).unwrap();
    write_rows(&mut table, &rows, 64).unwrap();
    file.write_all(&plain).unwrap();
    folder.close_file(file).unwrap();
    folder.close_table(table).unwrap();
    folder.close_table(empty).unwrap();
    folder.count("rows", 700);
    folder.setting("dialects", vec!["google", "rfc"]);
    folder.finish().unwrap();
    Held { rows, plain }
}

/// Reads all of it as a run would: values first, the damage at the end of each batch.
fn read_folder(path: &Path) -> Result<Held, FilesError> {
    let folder = Folder::open(path)?;
    let table = folder.table("rows.arrow", &schema())?;
    let mut rows = Vec::new();
    for row in 0..table.num_rows() {
        let read = read_row(&table, row)?;
        folder.damage().check()?;
        rows.push(read.unwrap());
    }
    assert_eq!(folder.table("empty.arrow", &schema())?.num_rows(), 0);
    let region = folder.region("plain.bin")?;
    let mut plain = Vec::new();
    for start in (0..region.len()).step_by(999) {
        plain.extend_from_slice(region.get(start, 999.min(region.len() - start)));
    }
    folder.damage().check()?;
    Ok(Held { rows, plain })
}

fn assert_same(found: &Held, held: &Held, what: &str) {
    assert!(found.rows == held.rows && found.plain == held.plain, "other values after {what}");
}

/// Paths of the folder's files with their lengths.
fn files(path: &Path) -> Vec<(std::path::PathBuf, u64)> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries.map(|e| (e.path(), e.metadata().unwrap().len())).collect();
    files.sort();
    files
}

#[test]
fn a_folder_reads_as_it_was_written() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("corpus");
    let held = write_folder(&path);
    assert_same(&read_folder(&path).unwrap(), &held, "nothing");
    let folder = Folder::open(&path).unwrap();
    folder.verify().unwrap();
    let in_memory = table_octets(&held.rows, 64);
    assert!(fs::read(path.join("rows.arrow")).unwrap() == in_memory, "as written in memory");
    assert_eq!(folder.manifest().counts["rows"], 700);
    assert_eq!(folder.manifest().settings["dialects"][1], "rfc");
    assert_eq!(folder.manifest().files["rows.arrow"].table.unwrap().num_rows, 700);
    let names: Vec<_> = folder.manifest().files.keys().map(String::as_str).collect();
    assert_eq!(names, ["empty.arrow", "plain.bin", "rows.arrow"]);
    assert!(FolderWriter::create(&path, "test").unwrap_err().to_string().contains("making the"));
}

#[test]
fn flipped_bits_are_found_or_harmless() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("corpus");
    let held = write_folder(&path);
    let files = files(&path);
    let mut random = Random::new(3);
    let mut num_found = 0;
    for _ in 0..1000 {
        let (file, len) = &files[random.below(files.len())];
        if *len == 0 {
            continue;
        }
        let at = random.next() % len;
        let bit = 1 << random.below(8);
        flip(file, at, bit);
        let what = format!("a flip at {at} of {}", file.display());
        match read_folder(&path) {
            Ok(found) => assert_same(&found, &held, &what),
            Err(_) => num_found += 1,
        }
        let is_whole = Folder::open(&path).and_then(|folder| folder.verify()).is_ok();
        let is_manifest = file.ends_with("manifest.json");
        assert!(is_manifest || !is_whole, "{what} passes the check of everything");
        flip(file, at, bit);
    }
    // Padding between buffers is read by nobody, but most of what is flipped is read.
    assert!(num_found > 600, "{num_found}");
}

fn flip(path: &Path, at: u64, bit: u8) {
    let mut file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut octet = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut octet).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[octet[0] ^ bit]).unwrap();
}

#[test]
fn cut_grown_and_missing_files_are_found_at_once() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("corpus");
    let _ = write_folder(&path);
    let mut random = Random::new(4);
    for (file, len) in files(&path) {
        let octets = fs::read(&file).unwrap();
        for _ in 0..40 {
            let cut = if len == 0 { 1 } else { random.next() % len };
            OpenOptions::new().write(true).open(&file).unwrap().set_len(cut).unwrap();
            let error = Folder::open(&path).unwrap_err();
            assert!(error.is_damage(), "{error}");
            assert_eq!(error.file(), file.display().to_string());
            fs::write(&file, &octets).unwrap();
        }
        fs::remove_file(&file).unwrap();
        let message = Folder::open(&path).unwrap_err().to_string();
        assert!(message.starts_with(&file.display().to_string()), "{message}");
        fs::create_dir(&file).unwrap();
        assert!(Folder::open(&path).unwrap_err().to_string().contains("no plain file"));
        fs::remove_dir(&file).unwrap();
        fs::write(&file, &octets).unwrap();
    }
    read_folder(&path).unwrap();
}

#[test]
fn tables_without_checksums_never_panic() {
    let mut random = Random::new(5);
    let rows = random_rows(&mut random, 70);
    let good = table_octets(&rows, 16);
    let footer = good.len() - 2500;
    for nth in 0..20_000 {
        let mut octets = good.clone();
        for _ in 0..=random.below(3) {
            // Half of them where the footer is, whose numbers do the most harm.
            let from = if random.one_in(2) { footer } else { 0 };
            let at = from + random.below(octets.len() - from);
            octets[at] = random.pick(&[0, 1, 0x7F, 0x80, 0xFF, octets[at] ^ 4]);
        }
        if random.one_in(10) {
            octets.truncate(random.below(octets.len()));
        }
        let Ok(table) = heap_table(octets) else { continue };
        assert!(table.num_rows() < 1 << 20 || nth > 0);
        for row in (0..table.num_rows().min(200)).chain([u64::MAX >> 1]) {
            let _ = read_row(&table, row).unwrap();
        }
    }
}

#[test]
fn a_manifest_says_what_is_wrong_with_it() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("corpus");
    let _ = write_folder(&path);
    let manifest = path.join("manifest.json");
    let good = fs::read_to_string(&manifest).unwrap();
    let cases = [
        ("700", "701", "the manifest's checksum does not match"),
        ("\"format_version\":1", "\"format_version\":2", "format version 2, this robosift reads"),
        ("\"format_version\"", "\"version\"", "no format version"),
        ("\"manifest\"", "\"other\"", "no manifest"),
        ("{", "[", "the corpus is damaged"),
    ];
    for (from, to, message) in cases {
        fs::write(&manifest, good.replace(from, to)).unwrap();
        let error = Folder::open(&path).unwrap_err().to_string();
        assert!(error.contains(message), "{error} has no {message}");
    }
    // Spaces mean nothing, and neither does a field beside the two.
    let later = good.replace("{\"checksum\"", "{ \"added\": [1],\n\"checksum\"");
    fs::write(&manifest, later).unwrap();
    read_folder(&path).unwrap();
}

#[test]
fn a_manifest_cannot_name_files_outside() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("corpus");
    let _ = write_folder(&path);
    let good = fs::read_to_string(path.join("manifest.json")).unwrap();
    let outer: serde_json::Value = serde_json::from_str(&good).unwrap();
    let inner = &outer["manifest"];
    for name in ["../plain.bin", "/etc/hosts", "", ".", "..", "a/b", "a\\b", "C:x", "a\0b", "é"] {
        let mut forged = inner.clone();
        let entry = forged["files"]["plain.bin"].take();
        forged["files"] = serde_json::json!({ name: entry });
        write_forged(&path, &forged);
        let error = Folder::open(&path).unwrap_err().to_string();
        assert!(error.contains("a field is missing or mistyped"), "{name:?}: {error}");
    }
    for (field, value) in [("len", 99_999.into()), ("root", "12".into()), ("root", "x".into())] {
        let mut forged: serde_json::Value = inner.clone();
        forged["files"]["plain.bin"][field] = value;
        write_forged(&path, &forged);
        assert!(read_folder(&path).is_err(), "{field}");
    }
    let mut later = inner.clone();
    later["added"] = serde_json::json!({ "by": "a later tool of the same format" });
    later["files"]["plain.bin"]["added"] = true.into();
    write_forged(&path, &later);
    read_folder(&path).unwrap();
    let mut forged = inner.clone();
    forged["files"]["rows.arrow"]["num_rows"] = 701.into();
    write_forged(&path, &forged);
    let error = read_folder(&path).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("another number of rows than the manifest says"), "{error}");
}

/// A manifest whose checksum is right, as an attacker would write it.
fn write_forged(path: &Path, manifest: &serde_json::Value) {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(manifest.to_string());
    let checksum: String = digest.iter().map(|octet| format!("{octet:02x}")).collect();
    let outer = serde_json::json!({ "checksum": checksum, "manifest": manifest });
    fs::write(path.join("manifest.json"), outer.to_string()).unwrap();
}

#[test]
fn names_and_settings_that_cannot_be_kept_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    let folder = FolderWriter::create(&temp.path().join("a"), "test").unwrap();
    for name in ["", "../x", ".x", "a/b", "a b"] {
        assert!(folder.file(name).unwrap_err().to_string().contains("other characters"), "{name}");
    }
    let file = folder.file("x").unwrap();
    assert!(folder.file("x").unwrap_err().to_string().contains("making the file"));
    drop(file);
    let message = Folder::open(&temp.path().join("a")).unwrap_err().to_string();
    assert!(message.contains("manifest.json: opening"), "a folder without a manifest: {message}");
}
