//! What verification found, for people.

use super::Verified;
use super::problem::Problem;

impl Verified {
    /// Whether the tables and the headers agree.
    pub fn is_clean(&self) -> bool {
        self.problems.iter().all(Problem::is_early_target)
    }

    /// The result for people: what was looked at, then each contradiction.
    pub fn text(&self) -> String {
        let mut text = format!(
            "ROCm {}: {} targets looked up in {} headers, {} of other releases; arguments counted on both sides of {} calls ({} CUDA headers)\n",
            self.rocm,
            self.checked,
            self.rocm_headers,
            self.other_release,
            self.counted,
            self.cuda_headers
        );
        if !self.not_installed.is_empty() {
            text += &format!("not installed here: {}\n", self.not_installed.join(", "));
        }
        if self.built_in > 0 {
            text += &format!(
                "not looked up: {} device functions of the compiler's own headers; give its folder too (ROCm: lib/llvm/lib/clang/N/include)\n",
                self.built_in
            );
        }
        for problem in &self.problems {
            let kind = serde_json::to_value(problem.kind).expect("a kind is a word");
            let target = problem
                .target
                .as_deref()
                .map_or(String::new(), |target| format!(" -> `{target}`"));
            text += &format!(
                "{}: {}: `{}`{target}: {}\n",
                problem.library,
                kind.as_str().unwrap_or_default(),
                problem.cuda,
                problem.detail
            );
        }
        let news = self
            .problems
            .iter()
            .filter(|problem| problem.is_early_target())
            .count();
        text + &format!(
            "{} problems, {news} targets declared earlier than the table says (behind a switch, or with other parameters)\n",
            self.problems.len() - news
        )
    }
}
