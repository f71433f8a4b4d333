//! How was judged, as JSON: every setting, whether it was given or not, by the names that outputs record them under.

use robosift::evaluate::Settings;
use serde_json::{Map, Value, json};

use super::eval::JudgingArguments;

/// All settings.
pub(crate) fn settings(settings: &Settings, judging: &JudgingArguments) -> Map<String, Value> {
    let seconds = |span: i64| format!("{} s", span / 1_000_000);
    let fields = [
        ("dialect", json!(settings.dialect.name)),
        ("policy", json!(settings.policy.name)),
        ("status_overrides", json!(judging.status)),
        ("stale", json!(settings.policy.stale.map_or("off".to_owned(), seconds))),
        ("as_of", json!(settings.moment.as_of.name())),
        ("capture_window", json!(settings.moment.window.map_or("any".to_owned(), seconds))),
        ("nearest", json!(settings.moment.nearest)),
        ("scope", json!(settings.scope.name())),
        ("no_capture", json!(settings.no_capture.name())),
        ("fallback", json!(settings.fallback.name())),
        ("agent_kind", json!(settings.agent_kind.name())),
        ("registry", json!(settings.registry.version())),
        ("body_limit", json!(judging.body_limit)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
