//! Programs of bodies that are compiled in mixtures of two ways: those that were used last are kept.
//!
//! Enters: programs by what they were compiled of. Leaves: the same, as long as there is room. Cost: a look-up, and the
//! logarithm of the number kept. Must not know: how they are compiled.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use crate::compile::Program;

/// Octets of programs that are kept besides the one in use.
const MOST_OCTETS: usize = 16 << 20;

/// A program, and when it was used last.
struct Kept {
    program: Program,
    used: u64,
}

/// Programs by key; the one that was not used for the longest time leaves first.
pub(super) struct Programs<K> {
    by_key: HashMap<K, Kept>,
    /// Keys by the last use of their programs.
    by_use: BTreeMap<u64, K>,
    num_octets: usize,
    num_uses: u64,
}

impl<K> Default for Programs<K> {
    fn default() -> Self {
        let (by_key, by_use) = (HashMap::new(), BTreeMap::new());
        Programs { by_key, by_use, num_octets: 0, num_uses: 0 }
    }
}

impl<K: Copy + Eq + Hash> Programs<K> {
    /// The program of `key`, where it is kept.
    pub(super) fn get(&mut self, key: &K) -> Option<&Program> {
        self.num_uses += 1;
        let kept = self.by_key.get_mut(key)?;
        self.by_use.remove(&kept.used);
        kept.used = self.num_uses;
        self.by_use.insert(kept.used, *key);
        Some(&kept.program)
    }

    /// Keeps a program, and lets go of others where there is no room for all.
    pub(super) fn add(&mut self, key: K, program: Program) -> Option<&Program> {
        while self.num_octets > MOST_OCTETS {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            let gone = self.by_key.remove(&oldest);
            self.num_octets -= gone.map_or(0, |gone| gone.program.memory_usage());
        }
        self.num_uses += 1;
        self.num_octets += program.memory_usage();
        self.by_use.insert(self.num_uses, key);
        self.by_key.insert(key, Kept { program, used: self.num_uses });
        self.by_key.get(&key).map(|kept| &kept.program)
    }
}
