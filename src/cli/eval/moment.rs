//! `--as-of`, `--capture-window` and `--nearest`, checked against each other and the rows.

use robosift::corpus::{AsOf, Moment};
use robosift::evaluate::{Gaps, Tally};
use robosift::job;
use robosift::stream::StreamPlan;

use indicatif::HumanCount;
use serde_json::{Value, json};

use super::arguments::EvalArguments;
use crate::cli::message::CliError;
use crate::cli::quantity;

/// What was asked for; where nothing was, the row's time decides if rows have one.
pub(crate) fn moment(arguments: &EvalArguments, stream: &StreamPlan) -> Result<Moment, CliError> {
    let judging = &arguments.judging;
    let as_of = match judging.as_of.as_deref() {
        None if arguments.input.time_column.is_some() || have_times(stream) => AsOf::Row,
        None => AsOf::Latest,
        Some(word) => {
            AsOf::parse(word).map_err(|error| CliError::usage(format!("--as-of {error}")))?
        }
    };
    let window = judging.capture_window.as_deref().map(quantity::span).transpose();
    let moment =
        Moment { as_of, window: window.map_err(CliError::usage)?, nearest: judging.nearest };
    let flag = match (moment.window, moment.nearest) {
        (Some(_), _) => Some("--capture-window"),
        (None, true) => Some("--nearest"),
        (None, false) => None,
    };
    if let Some(flag) = flag.filter(|_| as_of == AsOf::Latest) {
        return Err(CliError::usage(format!(
            "{flag} needs a time to measure from: --as-of row, ever or a date"
        )));
    }
    Ok(moment)
}

/// Whether the rows have a column that is known to hold their time, by the first file that can be opened.
fn have_times(stream: &StreamPlan) -> bool {
    let mut known = stream.inputs.iter().filter_map(|input| job::known_time_column(&input.path));
    known.next().is_some_and(|column| column.is_some())
}

/// What it means, for the summary.
pub(crate) fn phrase(moment: &Moment) -> String {
    let as_of = match moment.as_of {
        AsOf::Latest => "as of the latest visit of each origin".to_owned(),
        AsOf::Row => "as of the time of each row".to_owned(),
        AsOf::Ever => "as of the time of each row and ever since".to_owned(),
        date => format!("as of {}", date.name()),
    };
    let window =
        moment.window.map(|window| format!(", captures within {}", span(window / 1_000_000)));
    let nearest = if moment.nearest { ", later ones too where nearer" } else { "" };
    format!("{as_of}{}{nearest}", window.unwrap_or_default())
}

/// How far captures were from rows, and how many rows have no time, where that is known.
pub(crate) fn gaps(tally: &Tally) -> impl Iterator<Item = String> {
    let without_time = (tally.without_time > 0).then(|| {
        format!(
            "rows without a time that can be read: {}; no capture is in question for them",
            HumanCount(tally.without_time)
        )
    });
    quantiles(&tally.gaps).into_iter().chain(without_time)
}

fn quantiles(gaps: &Gaps) -> Option<String> {
    let [before, after] = gaps.counts();
    let quantile = |share| gaps.quantile(share).map(span).unwrap_or_default();
    match before + after {
        0 => None,
        _ => Some(format!(
            "captures are older than their rows by {} (median), {} (90%), {} (99%), {} (most); {} of {} are later",
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            quantile(1.0),
            HumanCount(after),
            HumanCount(before + after)
        )),
    }
}

/// The same in seconds.
pub(crate) fn gaps_json(tally: &Tally) -> Value {
    let gaps = &tally.gaps;
    let [before, after] = gaps.counts();
    json!({
        "rows": before + after,
        "later": after,
        "without_time": tally.without_time,
        "seconds": {
            "p01": gaps.quantile(0.01),
            "p10": gaps.quantile(0.1),
            "p50": gaps.quantile(0.5),
            "p90": gaps.quantile(0.9),
            "p99": gaps.quantile(0.99),
            "p100": gaps.quantile(1.0),
        },
    })
}

/// A span of seconds in at most four digits and a unit.
fn span(seconds: i64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let unit = units.iter().find(|(scale, _)| seconds.abs() >= *scale);
    match unit {
        Some((scale, unit)) => format!("{:.1} {unit}", seconds as f64 / *scale as f64),
        None => format!("{seconds} s"),
    }
}
