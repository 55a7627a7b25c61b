use clap::Args;

use super::AnswerArgs;

#[derive(Debug, Args)]
pub(in crate::cli) struct ChipsArgs {
    /// Only this one: a target id or a product, as `--target` takes it: gfx90a, MI300X, "RX 7900 XTX"
    pub(in crate::cli) chip: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) answer: AnswerArgs,
}
