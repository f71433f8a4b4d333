//! A capture as a record that sorts where the corpus wants it: by place, time, and where it came from.
//!
//! Enters: a capture whose place is canonical and whose body is numbered. Leaves: octets that compare as
//! captures are ordered, and the capture again. Cost: one copy. Must not know: bodies, files.

use crate::corpus::{CaptureFlags, Status};

/// The octets of a [`PayloadDigest`](crate::corpus::PayloadDigest).
pub(super) type PayloadDigest = [u8; 16];

/// Which URL a capture is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FiledPlace<'r> {
    /// The robots.txt of an origin, by its sort key and name.
    Origin { surt: &'r str, name: &'r str },
    /// Any other URL, in canonical form.
    Target { url: &'r str },
}

/// A capture on its way into a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filed<'r> {
    pub(super) place: FiledPlace<'r>,
    pub(super) time: Option<i64>,
    /// Which source it came from, and where it stood there: captures of one time keep this order.
    pub(super) source: u32,
    pub(super) index: u64,
    pub(super) status: Option<Status>,
    /// The number its body came in with.
    pub(super) body: Option<u32>,
    pub(super) flags: CaptureFlags,
    /// Where its record begins in the source's file.
    pub(super) offset: Option<u64>,
    pub(super) redirect: Option<&'r str>,
    pub(super) content_type: Option<&'r str>,
    pub(super) payload: Option<PayloadDigest>,
    /// The time of the capture whose body it shares, where that is all it says.
    pub(super) refers_to: Option<i64>,
}

const ORIGIN: u8 = 0;
const TARGET: u8 = 1;

impl<'r> Filed<'r> {
    /// Writes the record into `out`, cleared first.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.clear();
        match self.place {
            FiledPlace::Origin { surt, name } => {
                out.push(ORIGIN);
                put_key(out, surt);
                put_key(out, name);
            }
            FiledPlace::Target { url } => {
                out.push(TARGET);
                put_key(out, url);
            }
        }
        put_option(out, self.time, |out, time| out.extend((time ^ i64::MIN).to_be_bytes()));
        out.extend(self.source.to_be_bytes());
        out.extend(self.index.to_be_bytes());
        put_option(out, self.status, |out, status| out.extend(status.0.to_be_bytes()));
        put_option(out, self.body, |out, body| out.extend(body.to_be_bytes()));
        out.extend(self.flags.bits().to_be_bytes());
        put_option(out, self.offset, |out, offset| out.extend(offset.to_be_bytes()));
        put_option(out, self.redirect, put_text);
        put_option(out, self.content_type, put_text);
        put_option(out, self.payload, |out, digest| out.extend(digest));
        put_option(out, self.refers_to, |out, time| out.extend(time.to_be_bytes()));
    }

    /// Reads a record; `None` where it is none.
    pub(super) fn read(record: &'r [u8]) -> Option<Self> {
        let mut reader = Reader { rest: record };
        let place = match reader.octets::<1>()? {
            [ORIGIN] => FiledPlace::Origin { surt: reader.key()?, name: reader.key()? },
            [TARGET] => FiledPlace::Target { url: reader.key()? },
            _ => return None,
        };
        Some(Filed {
            place,
            time: reader.option(|r| Some(i64::from_be_bytes(r.octets()?) ^ i64::MIN))?,
            source: u32::from_be_bytes(reader.octets()?),
            index: u64::from_be_bytes(reader.octets()?),
            status: reader.option(|r| Some(Status(i16::from_be_bytes(r.octets()?))))?,
            body: reader.option(|r| Some(u32::from_be_bytes(r.octets()?)))?,
            flags: CaptureFlags::from_bits(u16::from_be_bytes(reader.octets()?)),
            offset: reader.option(|r| Some(u64::from_be_bytes(r.octets()?)))?,
            redirect: reader.option(Reader::text)?,
            content_type: reader.option(Reader::text)?,
            payload: reader.option(Reader::octets)?,
            refers_to: reader.option(|r| Some(i64::from_be_bytes(r.octets()?)))?,
        })
    }
}

/// Texts by which records are ordered end in an octet that none of them holds.
fn put_key(out: &mut Vec<u8>, key: &str) {
    match memchr::memchr(0, key.as_bytes()) {
        None => out.extend_from_slice(key.as_bytes()),
        Some(_) => out.extend(key.bytes().filter(|octet| *octet != 0)),
    }
    out.push(0);
}

fn put_option<T>(out: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(out, value);
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_be_bytes());
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'r> {
    rest: &'r [u8],
}

impl<'r> Reader<'r> {
    fn octets<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (octets, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*octets)
    }

    fn key(&mut self) -> Option<&'r str> {
        let end = memchr::memchr(0, self.rest)?;
        let (key, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..)?;
        std::str::from_utf8(key).ok()
    }

    fn text(&mut self) -> Option<&'r str> {
        let len = usize::try_from(u64::from_be_bytes(self.octets()?)).ok()?;
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.octets()? {
            [0] => Some(None),
            _ => read(self).map(Some),
        }
    }
}
