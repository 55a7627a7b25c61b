use clap::{Args, ValueEnum};

/// How a command prints what it was asked for.
#[derive(Clone, Copy, Debug, Args)]
pub(in crate::cli) struct AnswerArgs {
    /// How the answer is printed
    #[arg(
        long,
        alias = "format",
        value_enum,
        value_name = "FORMAT",
        default_value_t
    )]
    output_format: TextOrJson,
    /// The same as `--output-format json`
    #[arg(long, hide = true)]
    json: bool,
}

impl AnswerArgs {
    /// Whether a program reads it.
    pub(in crate::cli) fn is_json(self) -> bool {
        self.json || self.output_format == TextOrJson::Json
    }
}

/// Text for people, or JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TextOrJson {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}
