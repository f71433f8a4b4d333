//! Counting what a match costs, so that a bound can be asserted without a clock.

/// Takes the count of steps: rules looked at and octets compared or searched.
///
/// `()` counts nothing and costs nothing; a `u64` adds up.
pub trait Steps {
    /// `octets` more octets were looked at.
    fn add(&mut self, octets: usize);
}

impl Steps for () {
    #[inline]
    fn add(&mut self, _: usize) {}
}

impl Steps for u64 {
    #[inline]
    fn add(&mut self, octets: usize) {
        *self = self.saturating_add(octets as u64);
    }
}
