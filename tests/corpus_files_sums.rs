//! Checksums of files as a tree: the writer against a plain reading of the layout, the reader against single flips.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;

use random::Random;
use robosift::corpus::files::{BLOCK_LEN, Damage, Region, SummingWriter};
use std::fs;
use std::io::Write;
use std::path::Path;
use twox_hash::XxHash3_64;

/// The levels and the root, all at once.
fn plain_sums(octets: &[u8]) -> (Vec<u8>, u64) {
    let block_len = usize::try_from(BLOCK_LEN).unwrap();
    let (mut side, mut level) = (Vec::new(), octets.to_vec());
    loop {
        if level.len() <= block_len {
            return (side, XxHash3_64::oneshot(&level));
        }
        let sums = level.chunks(block_len).map(|block| XxHash3_64::oneshot(block).to_le_bytes());
        level = sums.collect::<Vec<_>>().concat();
        side.extend_from_slice(&level);
    }
}

/// Writes in portions of random length; gives the file, its levels, the root.
fn write_summed(random: &mut Random, octets: &[u8]) -> (Vec<u8>, Vec<u8>, u64) {
    let mut writer = SummingWriter::new(Vec::new(), Vec::new());
    let mut rest = octets;
    while !rest.is_empty() {
        let most = random.pick(&[1, 100, 20_000, 1_000_000]);
        let (portion, after) = rest.split_at(rest.len().min(random.below(most) + 1));
        writer.write_all(portion).unwrap();
        rest = after;
    }
    let summed = writer.finish().unwrap();
    assert_eq!(summed.len, octets.len() as u64);
    (summed.file, summed.sums, summed.root)
}

fn random_octets(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len.div_ceil(4)).flat_map(|_| random.next().to_le_bytes()[..4].to_vec()).take(len).collect()
}

#[test]
fn the_writer_leaves_the_file_and_its_levels() {
    let mut random = Random::new(1);
    let block = usize::try_from(BLOCK_LEN).unwrap();
    let mut lens = vec![0, 1, block - 1, block, block + 1, 2 * block, 16 * block, 16 * block + 1];
    lens.extend((0..40).map(|_| random.below(40 * block)));
    lens.extend([2047 * block + 9, 2048 * block, 2048 * block + 1, 2 * 2048 * block + 77]);
    for len in lens {
        let octets = random_octets(&mut random, len);
        let (file, side, root) = write_summed(&mut random, &octets);
        assert!(file == octets, "{len}");
        assert!((side, root) == plain_sums(&octets), "{len}");
    }
}

/// Writes a file with its side file below `folder`.
fn write_files(folder: &Path, octets: &[u8], side: &[u8]) -> std::path::PathBuf {
    let path = folder.join("file");
    fs::write(&path, octets).unwrap();
    fs::write(folder.join("file.sums"), side).unwrap();
    path
}

#[test]
fn reads_give_what_was_written_and_nothing_past_the_end() {
    let temp = tempfile::tempdir().unwrap();
    let mut random = Random::new(2);
    for len in [0, 1, 16_383, 16_384, 16_385, 300_000] {
        let octets = random_octets(&mut random, len);
        let (_, side, root) = write_summed(&mut random, &octets);
        let path = write_files(temp.path(), &octets, &side);
        let damage = Damage::default();
        let region = Region::open(&path, len as u64, root, &damage).unwrap();
        for _ in 0..200 {
            let start = random.below(len + 1);
            let wanted = random.below(len - start + 1).min(random.pick(&[8, 100, 50_000]));
            let found = region.get(start as u64, wanted as u64);
            assert_eq!(found, &octets[start..start + wanted]);
        }
        region.verify().unwrap();
        damage.check().unwrap();
        let len = len as u64;
        for (start, wanted) in [(len, 1), (0, len + 1), (u64::MAX, 1), (1, u64::MAX)] {
            assert!(region.get(start, wanted).is_empty());
            assert!(region.try_get(start, wanted).unwrap_err().is_damage());
        }
        assert!(damage.first().unwrap().to_string().contains("octets wanted, the file ends at"));
    }
}

#[test]
fn a_flip_fails_its_own_block_and_no_other() {
    let temp = tempfile::tempdir().unwrap();
    let mut random = Random::new(3);
    let octets = random_octets(&mut random, 100_000);
    let (_, side, root) = write_summed(&mut random, &octets);
    for _ in 0..200 {
        let at = random.below(octets.len());
        let mut flipped = octets.clone();
        flipped[at] ^= 1 << random.below(8);
        let path = write_files(temp.path(), &flipped, &side);
        let damage = Damage::default();
        let region = Region::open(&path, octets.len() as u64, root, &damage).unwrap();
        let block = at as u64 / BLOCK_LEN;
        for number in (0..7).filter(|number| *number != block) {
            let start = number * BLOCK_LEN;
            let len = BLOCK_LEN.min(100_000 - start);
            assert_eq!(region.get(start, len).len() as u64, len);
        }
        damage.check().unwrap();
        // Not only the octet that was flipped: a read that touches its block has none of it.
        assert!(region.get((block * BLOCK_LEN).saturating_sub(1), 10).is_empty());
        let error = damage.check().unwrap_err();
        assert_eq!(error.offset(), Some(block * BLOCK_LEN));
        assert_eq!(error.file(), path.display().to_string());
    }
}

#[test]
fn a_flip_in_any_level_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let mut random = Random::new(4);
    // Level 0 has 2,500 sums in two blocks, level 1 has two sums.
    let octets = random_octets(&mut random, 2_500 * 16_384);
    let (_, side, root) = write_summed(&mut random, &octets);
    assert_eq!(side.len(), 2_502 * 8);
    let (len, second) = (octets.len() as u64, 2_048 * BLOCK_LEN);
    for (at, offset, reads) in [
        (5, 0, [false, true]),
        (16_384, 16_384, [true, false]),
        (2_500 * 8, 20_000, [false, false]),
        (2_502 * 8 - 1, 20_000, [false, false]),
    ] {
        let mut flipped = side.clone();
        flipped[at] ^= 128;
        let path = write_files(temp.path(), &octets, &flipped);
        let damage = Damage::default();
        let region = Region::open(&path, len, root, &damage).unwrap();
        assert_eq!(
            [region.get(9, 9), region.get(second, 9)].map(|octets| octets.len() == 9),
            reads
        );
        let error = damage.check().unwrap_err();
        assert_eq!(error.offset(), Some(offset));
        assert!(error.file().ends_with("file.sums"), "{error}");
    }
    let path = write_files(temp.path(), &octets, &side);
    let region = Region::open(&path, len, root ^ 1, &Damage::default()).unwrap();
    assert!(region.verify().is_err(), "another root");
    fs::write(temp.path().join("file.sums"), &side[1..]).unwrap();
    assert!(Region::open(&path, len, root, &Damage::default()).is_err(), "a shorter side file");
}

#[test]
fn many_threads_read_one_region() {
    let temp = tempfile::tempdir().unwrap();
    let mut random = Random::new(5);
    let octets = random_octets(&mut random, 3_000_000);
    let (_, side, root) = write_summed(&mut random, &octets);
    let path = write_files(temp.path(), &octets, &side);
    let region = Region::open(&path, octets.len() as u64, root, &Damage::default()).unwrap();
    std::thread::scope(|scope| {
        for seed in 10..14 {
            let (region, octets) = (&region, &octets);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                for _ in 0..5_000 {
                    let at = random.below(octets.len() - 64);
                    assert_eq!(region.get(at as u64, 64), &octets[at..at + 64]);
                }
            });
        }
    });
    region.damage().check().unwrap();
}
