//! The texts of distinct bodies by their numbers, in memory or compressed in a file.
//!
//! Enters: texts one after the other. Leaves: any of them by its number. In a folder there are two files: `texts` holds
//! zstd frames end to end, `places` a record of fixed length for each, so that what was whole when a
//! build was cut off can be told and taken up again. Cost: one read for a text, and one for its place where
//! there are many.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::bodies::BodyDigest;
use crate::corpus::frames;
use crate::table::read_exact_at;

/// Octets of a place: digest, offset, length of the frame, length of the text.
const PLACE_LEN: usize = 32 + 3 * 8;

/// Octets of either file that are written at once.
const WRITTEN_AT_ONCE: usize = 128 << 10;

/// Octets of places that are read at once; where there are more, each is read when it is asked for.
const MOST_PLACES: usize = 16 << 20;

/// A text as it is kept.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) digest: BodyDigest,
    /// Its length as it came.
    pub(super) len: u64,
    pub(super) octets: Octets,
    /// The text as it came where it is at hand besides.
    plain: Option<Arc<[u8]>>,
}

/// The octets of a text.
#[derive(Clone, Debug)]
pub(super) enum Octets {
    Plain(Arc<[u8]>),
    /// One zstd frame.
    Compressed(Vec<u8>),
}

/// All texts.
#[derive(Debug)]
pub(super) enum Texts {
    Memory(Vec<Text>),
    Files(TextFiles),
}

/// Texts in files.
#[derive(Debug)]
pub(super) struct TextFiles {
    texts: BufWriter<File>,
    places: BufWriter<File>,
    /// Octets written to `texts`.
    end: u64,
    count: u32,
    num_octets: u64,
    seed: u64,
    /// All places, once no more texts come; empty before, and where they are many.
    known: Vec<[u8; PLACE_LEN]>,
    /// Texts that need not be decompressed.
    at_hand: HashMap<u32, Arc<[u8]>, RandomState>,
}

impl Text {
    /// The text as it came.
    pub(super) fn decompressed(&self) -> io::Result<Cow<'_, [u8]>> {
        match (&self.octets, &self.plain) {
            (Octets::Plain(text), _) | (_, Some(text)) => Ok(Cow::Borrowed(text)),
            (Octets::Compressed(frame), None) => {
                let len = usize::try_from(self.len).unwrap_or(usize::MAX);
                Ok(Cow::Owned(frames::decompress(frame, len)?))
            }
        }
    }
}

impl Texts {
    /// In files of `folder`, of which the first `count` texts are taken up again, each shown to `visit`.
    pub(super) fn in_folder(
        folder: &Path,
        count: u32,
        mut visit: impl FnMut(BodyDigest, u32),
    ) -> io::Result<Self> {
        let open = |name: &str| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(folder.join(name))
        };
        let (mut texts, mut places) = (open("texts")?, open("places")?);
        let (mut end, mut num_octets, mut seed) = (0, 0, 0_u64);
        for number in 0..count {
            let (digest, offset, frame_len, len) = read_place(&places, number)?;
            end = offset.saturating_add(frame_len);
            num_octets += len;
            seed = seed.wrapping_add(part_of_seed(&digest));
            visit(digest, number);
        }
        texts.set_len(end)?;
        places.set_len(u64::from(count) * PLACE_LEN as u64)?;
        texts.seek(SeekFrom::End(0))?;
        places.seek(SeekFrom::End(0))?;
        let buffered = |file| BufWriter::with_capacity(WRITTEN_AT_ONCE, file);
        let (texts, places) = (buffered(texts), buffered(places));
        let (known, at_hand) = (Vec::new(), HashMap::default());
        Ok(Texts::Files(TextFiles { texts, places, end, count, num_octets, seed, known, at_hand }))
    }

    /// Whether texts are to come compressed.
    pub(super) fn are_compressed(&self) -> bool {
        matches!(self, Texts::Files(_))
    }

    /// Adds a text and gives its number; `frame` is the text compressed, where it is to come so.
    pub(super) fn push(
        &mut self,
        digest: &BodyDigest,
        text: &Arc<[u8]>,
        frame: &[u8],
    ) -> io::Result<u32> {
        let len = text.len() as u64;
        match self {
            Texts::Memory(texts) => {
                let octets = Octets::Plain(Arc::clone(text));
                texts.push(Text { digest: *digest, len, octets, plain: None });
                Ok(crate::compile::narrow(texts.len() - 1))
            }
            Texts::Files(files) => files.push(digest, len, frame),
        }
    }

    /// Number of texts.
    pub(super) fn len(&self) -> u32 {
        match self {
            Texts::Memory(texts) => crate::compile::narrow(texts.len()),
            Texts::Files(files) => files.count,
        }
    }

    /// Everything pushed so far can be read, and survives the process.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if let Texts::Files(files) = self {
            files.texts.flush()?;
            files.texts.get_ref().sync_data()?;
            files.places.flush()?;
            files.places.get_ref().sync_data()?;
        }
        Ok(())
    }

    /// Everything was pushed; what is asked for from now on is found without a look into the file of places, unless that is
    /// large.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Texts::Memory(_) => Ok(()),
            Texts::Files(files) => files.read_places(),
        }
    }

    /// The text with this number, flushed before.
    pub(super) fn get(&self, number: u32) -> io::Result<Text> {
        match self {
            Texts::Memory(texts) => {
                let text = usize::try_from(number).ok().and_then(|at| texts.get(at));
                text.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
            }
            Texts::Files(files) => files.get(number),
        }
    }

    /// As [`Texts::get`], of a text that is asked for once: what is in memory of it is let go.
    pub(super) fn take(&mut self, number: u32) -> io::Result<Text> {
        let mut text = self.get(number)?;
        match self {
            Texts::Memory(texts) => {
                if let Some(kept) = usize::try_from(number).ok().and_then(|at| texts.get_mut(at)) {
                    kept.octets = Octets::Compressed(Vec::new());
                }
            }
            Texts::Files(files) => text.plain = files.at_hand.remove(&number),
        }
        Ok(text)
    }

    /// The text with this number is at hand and need not be decompressed when it is taken.
    pub(super) fn put_at_hand(&mut self, number: u32, text: Arc<[u8]>) {
        if let Texts::Files(files) = self {
            files.at_hand.insert(number, text);
        }
    }

    /// Octets of all texts as they came.
    pub(super) fn num_octets(&self) -> u64 {
        match self {
            Texts::Memory(texts) => texts.iter().map(|text| text.len).sum(),
            Texts::Files(files) => files.num_octets,
        }
    }

    /// A number that follows from all digests whatever their order, and that who serves one body cannot foresee.
    pub(super) fn seed(&self) -> u64 {
        match self {
            Texts::Memory(texts) => {
                texts.iter().map(|text| part_of_seed(&text.digest)).fold(0, u64::wrapping_add)
            }
            Texts::Files(files) => files.seed,
        }
    }
}

impl TextFiles {
    fn push(&mut self, digest: &BodyDigest, len: u64, frame: &[u8]) -> io::Result<u32> {
        self.texts.write_all(frame)?;
        self.places.write_all(digest)?;
        for number in [self.end, frame.len() as u64, len] {
            self.places.write_all(&number.to_le_bytes())?;
        }
        self.end += frame.len() as u64;
        self.num_octets += len;
        self.seed = self.seed.wrapping_add(part_of_seed(digest));
        self.count += 1;
        Ok(self.count - 1)
    }

    fn read_places(&mut self) -> io::Result<()> {
        let count = usize::try_from(self.count).unwrap_or(usize::MAX);
        if count > MOST_PLACES / PLACE_LEN {
            return Ok(());
        }
        let mut known = vec![[0; PLACE_LEN]; count];
        read_exact_at(self.places.get_ref(), known.as_flattened_mut(), 0)?;
        self.known = known;
        Ok(())
    }

    fn get(&self, number: u32) -> io::Result<Text> {
        let known = usize::try_from(number).ok().and_then(|at| self.known.get(at));
        let (digest, offset, frame_len, len) = match known {
            Some(place) => split_place(place)?,
            None => read_place(self.places.get_ref(), number)?,
        };
        let mut frame = vec![0; usize::try_from(frame_len).unwrap_or(usize::MAX)];
        read_exact_at(self.texts.get_ref(), &mut frame, offset)?;
        Ok(Text { digest, len, octets: Octets::Compressed(frame), plain: None })
    }
}

fn part_of_seed(digest: &BodyDigest) -> u64 {
    digest.first_chunk().map_or(0, |octets| u64::from_le_bytes(*octets))
}

/// Digest, offset, length of the frame and of the text.
fn read_place(places: &File, number: u32) -> io::Result<(BodyDigest, u64, u64, u64)> {
    let mut place = [0; PLACE_LEN];
    read_exact_at(places, &mut place, u64::from(number) * PLACE_LEN as u64)?;
    split_place(&place)
}

fn split_place(place: &[u8; PLACE_LEN]) -> io::Result<(BodyDigest, u64, u64, u64)> {
    let (digest, numbers) = place.split_first_chunk::<32>().ok_or(io::ErrorKind::InvalidData)?;
    let mut numbers = numbers.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number));
    let mut next = || numbers.next().unwrap_or(0);
    Ok((*digest, next(), next(), next()))
}
