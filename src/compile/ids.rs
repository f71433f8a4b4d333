//! Narrowing of lengths and counts to the 32 bits in which programs hold them.
//!
//! [`super::BodyLimit`] keeps every body so small that nothing reaches the ceiling; saturating keeps
//! the arithmetic total all the same.

/// `len` in 32 bits, `u32::MAX` where it does not fit.
#[must_use]
pub fn narrow(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// An offset of a program as an index.
#[must_use]
pub(super) fn widen(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
