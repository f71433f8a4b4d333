//! Octets as they come: lines of a body, percent-encoding, the parts of a URL.
//!
//! Enters: octets nobody has checked. Leaves: borrowed slices of them, and canonical forms where a
//! comparison needs one. Everything here is linear in its input and allocates only where a form has
//! to differ from what was given. It must not know what a robots rule is.

pub mod compare;
pub mod lanes;
pub mod lines;
pub mod marks;
pub mod origin;
pub mod path;
pub mod percent;
pub mod quantity;
pub(crate) mod room;
pub(crate) mod short;
pub mod sniff;
pub mod surt;
pub mod timestamp;
