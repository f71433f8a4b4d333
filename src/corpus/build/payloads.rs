//! Bodies by the digest that archives give of their payloads: what revisits of other URLs refer to.
//!
//! Enters: all captures, in any order. Leaves: for each payload digest that a revisit names, the body that has it. Memory:
//! an entry of forty octets in a map for each digest named. Cost: two passes over all captures.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::assemble::read;
use super::filed::PayloadDigest;
use super::sorter::Run;
use crate::corpus::{CaptureFlags, CorpusError};

/// The captures that are no revisits stand before all others as what a digest means, the earliest source first.
type Found = (u32, u64, u32);

/// The bodies that revisits name by the digests of their payloads.
pub(super) fn bodies_of_revisits(
    runs: &[Run],
) -> Result<HashMap<PayloadDigest, u32, RandomState>, CorpusError> {
    let mut wanted: HashMap<PayloadDigest, Option<Found>, RandomState> = HashMap::default();
    for run in runs {
        run.for_each(|record| {
            let capture = read(record)?;
            if capture.flags.contains(CaptureFlags::REVISIT) && capture.body.is_none() {
                wanted.extend(capture.payload.map(|payload| (payload, None)));
            }
            Ok(())
        })?;
    }
    for run in runs {
        run.for_each(|record| {
            let capture = read(record)?;
            let entry = capture.payload.and_then(|payload| wanted.get_mut(&payload));
            if let (Some(found), Some(body)) = (entry, capture.body) {
                let this = (capture.source, capture.index, body);
                *found = Some(found.map_or(this, |known| known.min(this)));
            }
            Ok(())
        })?;
    }
    Ok(wanted.into_iter().filter_map(|(payload, found)| Some((payload, found?.2))).collect())
}
