//! Texts as zstd frames, one after the other in the same memory: making a context anew costs a small text more than
//! compressing it.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::compress_bound;

/// The fastest but for those that hardly look: of 8,600 distinct real files it makes 1 to 3% more octets than zstd's
/// default of 3, and -1 makes 20% more.
const LEVEL: i32 = 1;

/// Octets that a thread keeps for the next frame: few texts are longer.
const MOST_KEPT: usize = 1 << 20;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static FRAME: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Gives a frame of `text` to `take`.
pub(super) fn compressed<T>(
    text: &[u8],
    take: impl FnOnce(&[u8]) -> io::Result<T>,
) -> io::Result<T> {
    let mut frame = FRAME.take();
    frame.clear();
    frame.reserve(compress_bound(text.len()));
    COMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(compressor) => compressor.compress_to_buffer(text, &mut frame),
        None => kept.insert(Compressor::new(LEVEL)?).compress_to_buffer(text, &mut frame),
    })?;
    let taken = take(&frame);
    if frame.capacity() <= MOST_KEPT {
        FRAME.set(frame);
    }
    taken
}

/// The text of a frame, of at most `len` octets; room is made for as many.
pub(super) fn decompress(frame: &[u8], len: usize) -> io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(decompressor) => decompressor.decompress(frame, len),
        None => kept.insert(Decompressor::new()?).decompress(frame, len),
    })
}
