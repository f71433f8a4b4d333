//! The final numbers of bodies: the order of the first origin that serves them.
//!
//! Enters: the numbers that bodies came in with, in the order of captures. Leaves: for each a number from 0, and how many
//! origins serve it themselves, not by a redirect. Memory: sixteen octets for each body.

/// No number yet.
const NONE: u32 = u32::MAX;

/// Numbers given so far.
#[derive(Debug)]
pub(super) struct Numbering {
    numbers: Vec<u32>,
    /// By final number: the one it came in with.
    order: Vec<u32>,
    served: Vec<Served>,
}

/// Who serves a body.
#[derive(Clone, Copy, Debug)]
struct Served {
    last_origin: u32,
    num_origins: u32,
}

impl Numbering {
    /// For so many bodies.
    pub(super) fn new(num_bodies: u32) -> Self {
        let len = usize::try_from(num_bodies).unwrap_or(0);
        Numbering {
            numbers: vec![NONE; len],
            order: Vec::with_capacity(len),
            served: Vec::with_capacity(len),
        }
    }

    /// The final number of the body that came in as `known`, served by `origin`.
    pub(super) fn number(&mut self, known: u32, origin: Option<u32>) -> u32 {
        let next = crate::compile::narrow(self.order.len());
        let Some(number) = usize::try_from(known).ok().and_then(|at| self.numbers.get_mut(at))
        else {
            return NONE;
        };
        if *number == NONE {
            *number = next;
            self.order.push(known);
            self.served.push(Served { last_origin: NONE, num_origins: 0 });
        }
        let served = usize::try_from(*number).ok().and_then(|at| self.served.get_mut(at));
        if let (Some(served), Some(origin)) = (served, origin)
            && served.last_origin != origin
        {
            *served = Served { last_origin: origin, num_origins: served.num_origins + 1 };
        }
        *number
    }

    /// The numbers that bodies came in with, in the order of their final ones, each with the number of its origins.
    pub(super) fn order(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.order.iter().zip(&self.served).map(|(known, served)| (*known, served.num_origins))
    }
}
