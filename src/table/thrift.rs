//! A cursor over Thrift's compact protocol: just enough to check what Parquet claims before the Parquet reader believes it.
//!
//! **Purpose.** Walk structs, read integers, skip the rest. **Enters**: octets. **Leaves**: numbers, or why there are none.
//! **Cost**: linear; nothing is allocated. **Must not know**: Parquet's structs.
//! Source: the Thrift compact protocol, as Parquet's format description uses it.

/// Why a walk stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The octets end inside a value: more of them may help.
    Cut,
    /// No octets can make this valid.
    Invalid,
}

/// The kinds of values that matter here, by their number in the protocol.
pub(crate) mod kind {
    pub(crate) const TRUE: u8 = 1;
    pub(crate) const FALSE: u8 = 2;
    pub(crate) const I8: u8 = 3;
    pub(crate) const I16: u8 = 4;
    pub(crate) const I32: u8 = 5;
    pub(crate) const I64: u8 = 6;
    pub(crate) const DOUBLE: u8 = 7;
    pub(crate) const BINARY: u8 = 8;
    pub(crate) const LIST: u8 = 9;
    pub(crate) const SET: u8 = 10;
    pub(crate) const MAP: u8 = 11;
    pub(crate) const STRUCT: u8 = 12;
    pub(crate) const UUID: u8 = 13;
}

/// Structs inside structs that a skip follows; Parquet needs four.
const MAX_DEPTH: u8 = 32;

/// A place in the octets.
pub(crate) struct Cursor<'a> {
    octets: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(octets: &'a [u8]) -> Self {
        Self { octets, at: 0 }
    }

    /// Octets walked so far.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn octet(&mut self) -> Result<u8, Stop> {
        let octet = *self.octets.get(self.at).ok_or(Stop::Cut)?;
        self.at += 1;
        Ok(octet)
    }

    fn advance(&mut self, len: u64) -> Result<(), Stop> {
        let len = usize::try_from(len).map_err(|_| Stop::Invalid)?;
        let end = self.at.checked_add(len).ok_or(Stop::Invalid)?;
        if end > self.octets.len() {
            return Err(Stop::Cut);
        }
        self.at = end;
        Ok(())
    }

    /// An unsigned LEB128 number.
    pub(crate) fn varint(&mut self) -> Result<u64, Stop> {
        let mut value = 0_u64;
        for shift in (0..70).step_by(7) {
            let octet = self.octet()?;
            value |= u64::from(octet & 0x7F).checked_shl(shift).unwrap_or(0);
            if octet & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Stop::Invalid)
    }

    /// A signed number in zigzag form.
    pub(crate) fn zigzag(&mut self) -> Result<i64, Stop> {
        let raw = self.varint()?;
        Ok((raw >> 1).cast_signed() ^ (raw & 1).cast_signed().wrapping_neg())
    }

    /// The next field of a struct: its id and the kind of its value; `None` at the end of the struct.
    pub(crate) fn field(&mut self, last: i64) -> Result<Option<(i64, u8)>, Stop> {
        let head = self.octet()?;
        if head == 0 {
            return Ok(None);
        }
        let id = match head >> 4 {
            0 => self.zigzag()?,
            step => last.saturating_add(i64::from(step)),
        };
        Ok(Some((id, head & 0x0F)))
    }

    /// The head of a list: number of elements and their kind.
    pub(crate) fn list(&mut self) -> Result<(u64, u8), Stop> {
        let head = self.octet()?;
        let size = match head >> 4 {
            15 => self.varint()?,
            size => u64::from(size),
        };
        Ok((size, head & 0x0F))
    }

    /// Walks over one value.
    pub(crate) fn skip(&mut self, kind: u8) -> Result<(), Stop> {
        self.skip_at(kind, MAX_DEPTH)
    }

    fn skip_at(&mut self, kind: u8, depth: u8) -> Result<(), Stop> {
        let deeper = depth.checked_sub(1).ok_or(Stop::Invalid)?;
        match kind {
            kind::TRUE | kind::FALSE => Ok(()),
            kind::I8 => self.advance(1),
            kind::I16 | kind::I32 | kind::I64 => self.varint().map(drop),
            kind::DOUBLE => self.advance(8),
            kind::UUID => self.advance(16),
            kind::BINARY => {
                let len = self.varint()?;
                self.advance(len)
            }
            kind::LIST | kind::SET => {
                let (size, element) = self.list()?;
                (0..size).try_for_each(|_| self.skip_element(element, deeper))
            }
            kind::MAP => self.skip_map(deeper),
            kind::STRUCT => self.skip_struct(deeper),
            _ => Err(Stop::Invalid),
        }
    }

    /// Booleans take an octet inside a list and none as a field.
    fn skip_element(&mut self, kind: u8, depth: u8) -> Result<(), Stop> {
        match kind {
            kind::TRUE | kind::FALSE => self.advance(1),
            other => self.skip_at(other, depth),
        }
    }

    fn skip_map(&mut self, depth: u8) -> Result<(), Stop> {
        let size = self.varint()?;
        if size == 0 {
            return Ok(());
        }
        let kinds = self.octet()?;
        (0..size).try_for_each(|_| {
            self.skip_element(kinds >> 4, depth)?;
            self.skip_element(kinds & 0x0F, depth)
        })
    }

    fn skip_struct(&mut self, depth: u8) -> Result<(), Stop> {
        let mut last = 0;
        while let Some((id, kind)) = self.field(last)? {
            self.skip_at(kind, depth)?;
            last = id;
        }
        Ok(())
    }
}
