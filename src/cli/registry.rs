//! The registry that a command goes by, and agents as they are typed.

use std::path::PathBuf;

use clap::Args;
use robosift::agents::registry::Registry;

use super::message::CliError;

#[derive(Args, Clone, Debug)]
pub(crate) struct RegistryArguments {
    /// File with agents and sets of your own, on top of those that come with the program (docs/AGENTS.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Option<PathBuf>,
}

impl RegistryArguments {
    /// The built-in registry, with the user's file on top where one is given.
    pub(crate) fn read(&self) -> Result<Registry, CliError> {
        match &self.registry {
            None => Ok(Registry::builtin().clone()),
            Some(path) => Registry::with_file(path).map_err(CliError::usage),
        }
    }
}

/// The agents of arguments as typed: commas separate tokens, `@sets` are replaced by their agents.
pub(crate) fn agents<'t>(
    typed: &'t [String],
    registry: &'t Registry,
) -> Result<Vec<&'t str>, CliError> {
    registry.expand(typed.iter().flat_map(|text| split(text))).map_err(CliError::usage)
}

/// Commas separate tokens; in an identification string they are part of it.
fn split(text: &str) -> Vec<&str> {
    if text.contains('(') {
        return vec![text];
    }
    text.split(',').map(str::trim).filter(|token| !token.is_empty()).collect()
}
