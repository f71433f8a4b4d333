//! Every input opened, planned and measured before the first row is read.
//!
//! **Purpose.** Find what is wrong with a request while nothing is lost. **Enters**: the plan, the judge. **Leaves**: one [`Prepared`] a
//! file, or why it is left out. **Cost**: one footer a file, on all cores; a few words a row group stay in memory.
//! **Must not know**: threads at work, rows.

use super::error::StreamError;
use super::judge::Judge;
use super::kept::is_kept;
use super::layout::Layout;
use super::plan::{Input, OnError, StreamPlan};
use super::report::Skipped;
use crate::table::{Column, ParquetFile, TableError};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Up to so many inputs keep their footer between planning and reading; of more files, footers are read again when their turn comes.
const FOOTERS_HELD: usize = 64;

/// One input file, ready to be read.
pub(crate) struct Prepared<P> {
    pub(crate) input: Input,
    pub(crate) plan: P,
    pub(crate) columns: Vec<Column>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) groups: Vec<Group>,
    pub(crate) rows: u64,
    footer: Mutex<Option<ParquetFile>>,
}

/// What the stream must know of a row group beforehand.
pub(crate) struct Group {
    /// Position of its first row in the file.
    pub(crate) first_row: u64,
    pub(crate) rows: usize,
    /// Octets of the columns read, as stored.
    pub(crate) stored: u64,
    /// The same, unpacked.
    pub(crate) unpacked: u64,
}

/// What becomes of an input file.
pub(crate) enum Outcome<P> {
    /// It is read and judged.
    Read(Prepared<P>),
    /// Its output is there already.
    Kept { rows: u64 },
    /// It is damaged and left out.
    LeftOut(Skipped),
}

/// Opens and plans all inputs, in parallel on the current pool; outcomes are in the order of the inputs.
///
/// # Errors
/// The first input, in their order, that is refused by the judge, whose output is another run's where this one resumes, or that is
/// damaged where the plan says to fail.
pub(crate) fn prepare<J: Judge>(
    judge: &J,
    plan: &StreamPlan,
) -> Result<Vec<Outcome<J::Plan>>, StreamError> {
    let hold = plan.inputs.len() <= FOOTERS_HELD;
    let layouts = Layouts::default();
    let prepare = |input| prepare_one(judge, plan, input, hold, &layouts);
    let outcomes: Vec<_> = plan.inputs.par_iter().map(prepare).collect();
    outcomes.into_iter().collect()
}

/// Layouts already made, so that thousands of files of one shape hold one.
#[derive(Default)]
struct Layouts(Mutex<Vec<Arc<Layout>>>);

/// Shapes of files remembered; inputs of one run have one or a few.
const SHAPES_HELD: usize = 16;

impl Layouts {
    fn share(&self, layout: Layout) -> Arc<Layout> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.iter().find(|known| known.is_same(&layout)) {
            return Arc::clone(same);
        }
        let layout = Arc::new(layout);
        if known.len() < SHAPES_HELD {
            known.push(Arc::clone(&layout));
        }
        layout
    }
}

fn prepare_one<J: Judge>(
    judge: &J,
    plan: &StreamPlan,
    input: &Input,
    hold: bool,
    layouts: &Layouts,
) -> Result<Outcome<J::Plan>, StreamError> {
    let file = match ParquetFile::open(&input.path) {
        Ok(file) => file,
        Err(error) if plan.on_error == OnError::Skip => {
            let (path, reason) = (input.path.clone(), error.to_string());
            return Ok(Outcome::LeftOut(Skipped { path, row_group: None, rows: 0, reason }));
        }
        Err(error) => return Err(error.into()),
    };
    let refuse = |error| StreamError::judge(&input.path, error);
    let (planned, columns) = judge.plan(&file).map_err(refuse)?;
    let layout = Layout::new(&file, &judge.schema(), plan)?;
    if is_kept(&file, input, &layout, plan)? {
        return Ok(Outcome::Kept { rows: file.num_rows() });
    }
    let groups = measure(&file, &columns, &layout)?;
    Ok(Outcome::Read(Prepared {
        input: input.clone(),
        plan: planned,
        columns,
        layout: layouts.share(layout),
        groups,
        rows: file.num_rows(),
        footer: Mutex::new(hold.then_some(file)),
    }))
}

fn measure(
    file: &ParquetFile,
    columns: &[Column],
    layout: &Layout,
) -> Result<Vec<Group>, StreamError> {
    let leaves = file.project(columns, &layout.kept)?.leaves;
    let mut first_row = 0;
    let groups = (0..file.num_row_groups()).map(|g| {
        let rows = file.row_group_rows(g);
        let (stored, unpacked) = file.lengths(g, &leaves);
        let group = Group { first_row, rows, stored, unpacked };
        first_row += rows as u64;
        group
    });
    Ok(groups.collect())
}

impl<P> Prepared<P> {
    /// The file, opened again where its footer was not kept.
    ///
    /// # Errors
    /// It cannot be opened any more, or is not the file it was.
    pub(crate) fn file(&self) -> Result<ParquetFile, StreamError> {
        let mut held = self.footer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*held {
            return Ok(file.clone());
        }
        let file = ParquetFile::open(&self.input.path)?;
        if file.num_row_groups() != self.groups.len() || file.num_rows() != self.rows {
            let what = "another file took this name since the stream was planned";
            return Err(TableError::damaged(&self.input.path, what).into());
        }
        *held = Some(file.clone());
        Ok(file)
    }

    /// Lets go of the footer: the file is done.
    pub(crate) fn forget(&self) {
        *self.footer.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
