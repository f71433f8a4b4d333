//! The summary as one JSON object.

use robosift::corpus::hex;
use robosift::explain::Differing;
use robosift::job::Pairs;
use serde_json::{Map, Value, json};

use super::{Run, Side};
use crate::cli::eval::corpus::Loaded;
use crate::cli::recorded;

pub(super) fn object(run: &Run<'_>) -> Value {
    let report = run.report;
    let agents = report.tally.agents.iter().map(|(agent, counts)| (agent.clone(), pairs(counts)));
    let skipped = report.skipped.iter().map(|file| {
        json!({"path": file.path, "row_group": file.row_group, "rows": file.rows, "reason": file.reason})
    });
    let all = report.tally.all_agents();
    let [left, right] = run.sides;
    json!({
        "rows": report.rows,
        "files": report.files,
        "left": way(left, left.loaded.as_ref()),
        "right": way(right, right.loaded.as_ref().or(left.loaded.as_ref())),
        "all": pairs(&all),
        "agents": agents.collect::<Map<_, _>>(),
        "differences": all.total() - all.same(),
        "clauses": clauses(run),
        "bodies_compiled": report.tally.num_compiled,
        "skipped": skipped.collect::<Vec<_>>(),
        "skipped_sources": run.skipped_sources().collect::<Vec<_>>(),
        "octets_read": report.octets_read,
        "octets_written": report.octets_written,
        "load_seconds": run.load_seconds,
        "compare_seconds": run.compare_seconds,
    })
}

/// All settings of a side, and where its captures are.
fn way(side: &Side, loaded: Option<&Loaded>) -> Value {
    let mut way = recorded::settings(&side.plan.settings, &side.arguments.judging);
    let paths = side.arguments.corpus.corpus.iter().map(|path| path.display().to_string());
    way.insert("settings".to_owned(), json!(side.typed));
    way.insert("corpus_paths".to_owned(), paths.collect());
    let corpus = loaded.map(|loaded| hex(&loaded.corpus.facts().fingerprint));
    way.insert("corpus".to_owned(), json!(corpus));
    Value::Object(way)
}

/// Counts that add up to the verdicts.
fn pairs(pairs: &Pairs) -> Value {
    let differing = Differing::ALL.map(|kind| (kind.name().to_owned(), pairs.differing(kind)));
    let bases = pairs.bases().into_iter().map(|((left, right), counts)| {
        json!({"left": left.name(), "right": right.name(), "verdicts": verdicts(counts)})
    });
    json!({
        "verdicts": pairs.total(),
        "same": pairs.same(),
        "differing": differing.into_iter().map(|(name, n)| (name, n.into())).collect::<Map<_, Value>>(),
        "by_verdict": verdicts(pairs.verdicts()),
        "by_basis": bases.collect::<Vec<_>>(),
    })
}

/// Left and right verdict, with those that are there.
fn verdicts(counts: [[u64; 3]; 3]) -> Value {
    let words = ["allowed", "refused", "unknown"];
    let cells = words.iter().zip(counts).flat_map(|(left, counts)| {
        let counts = words.iter().zip(counts).filter(|(_, count)| *count > 0);
        counts.map(move |(right, count)| (format!("{left}_{right}"), Value::from(count)))
    });
    Value::Object(cells.collect())
}

fn clauses(run: &Run<'_>) -> Value {
    let mut clauses: Map<String, Value> = Map::new();
    for ((clause, differing), count) in &run.report.tally.clauses {
        let clause = if clause.is_empty() { "unknown" } else { clause };
        let entry = clauses.entry(clause).or_insert_with(|| json!({}));
        entry[differing.name()] = json!(count);
    }
    Value::Object(clauses)
}
