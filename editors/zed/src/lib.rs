//! Starts `cass-transpile lsp` in Zed: the program that the settings name, or the one on the path.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    Command, Extension, LanguageServerId, Result, Worktree, register_extension,
};

const NAME: &str = "cass-transpile";

struct CassTranspile;

impl Extension for CassTranspile {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(NAME, worktree)?.binary;
        let given = settings.as_ref().and_then(|binary| binary.path.clone());
        let command = given.or_else(|| worktree.which(NAME)).ok_or(
            "cass-transpile is not on the path: `pip install cass-transpile`, or name it in the \
             settings under lsp.cass-transpile.binary.path",
        )?;
        // Such as `--target=gfx90a`; a cass.toml is found by itself.
        let more = settings.and_then(|binary| binary.arguments);
        let args = std::iter::once("lsp".to_owned()).chain(more.unwrap_or_default());
        Ok(Command {
            command,
            args: args.collect(),
            env: worktree.shell_env(),
        })
    }
}

register_extension!(CassTranspile);
