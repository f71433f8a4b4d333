//! Every row group of every input through one function, the answers in order.
//!
//! **Purpose.** Take Parquet files through a [`Judge`] on all cores and write one output file per input file, one row group per row
//! group, so that row N of the output belongs to row N of the input.
//! **Enters**: a [`StreamPlan`], a [`Judge`]. **Leaves**: files under their final names, only when whole; a [`Report`].
//! **Cost.** A unit of work is one row group. What is held is a batch or two for each unit at work and the encoded columns of units that
//! wait for their turn, together within the memory limit of the plan. With the number of row groups only the footers grow: some 650 octets
//! for each column chunk of the files being read and written at the time, and four words a row group of all others.
//! **Must not know**: robots. The rows are octets and numbers here, the judge knows what they mean.
//!
//! The way of a unit: dispensed in order (`dispense`) → read, judged and encoded (`unit`, by several workers `together`, `encode`) → appended when it is its turn
//! (`turn`) → the file is synced and renamed when its last unit is in (`part`).
//! With [`StreamPlan::resume`], outputs that an earlier run of the same plan left whole stay as they are (`kept`).
//! What only some rows are worth writing of is gathered in one file instead (`gather`).
//! The output is a function of the inputs, the judge, the memory limit and the options: the number of threads changes no octet.

mod dispense;
mod encode;
mod error;
mod gather;
mod inputs;
mod judge;
mod kept;
mod layout;
mod leftovers;
mod part;
mod plan;
mod prepare;
mod report;
mod run;
mod together;
mod turn;
mod unit;

pub use error::StreamError;
pub use gather::run_gathered;
pub use judge::{Judge, Progress, Silent};
pub use plan::{Codec, Input, Keep, OnError, StreamPlan};
pub use report::{Report, Skipped, Survey};
pub use run::{run, survey};
