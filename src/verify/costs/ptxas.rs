//! What CUDA's compiler says of kernels when it is asked for it: `nvcc -Xptxas -v`, `ptxas -v`.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;

use super::cost::readable;

/// A kernel as `ptxas -v` tells of it, for one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Ptxas {
    /// Its name as the linker knows it.
    pub(crate) kernel: String,
    /// `sm_90`
    pub(crate) arch: String,
    /// Registers of a thread.
    pub(crate) registers: u64,
    /// Bytes of registers that a thread stores, and loads again.
    pub(crate) spill_stores: u64,
    pub(crate) spill_loads: u64,
    /// Bytes of the stack of a thread.
    pub(crate) stack: u64,
    /// Bytes of shared memory that are fixed.
    pub(crate) shared: u64,
}

static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"Compiling entry function '([^']+)' for '([^']+)'"));
static PROPERTIES: LazyLock<Regex> = LazyLock::new(|| regex(r"Function properties for (\S+)"));
static SPILLS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
});
static USED: LazyLock<Regex> = LazyLock::new(|| regex(r"Used (\d+) registers"));
static SHARED: LazyLock<Regex> = LazyLock::new(|| regex(r"(\d+)(?:\+\d+)? bytes smem"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern that the tests use")
}

/// The kernels of a log, in its order; what else a build prints is passed over.
pub(crate) fn compiled(log: &str) -> Vec<Ptxas> {
    let number = |text: &str| text.parse().unwrap_or(0);
    let mut found: Vec<Ptxas> = Vec::new();
    // Functions that a kernel calls have properties of their own.
    let mut is_own = false;
    for line in log.lines() {
        if let Some(parts) = ENTRY.captures(line) {
            is_own = true;
            found.push(Ptxas {
                kernel: parts[1].to_owned(),
                arch: parts[2].to_owned(),
                ..Ptxas::default()
            });
            continue;
        }
        let Some(kernel) = found.last_mut() else {
            continue;
        };
        if let Some(parts) = PROPERTIES.captures(line) {
            is_own = parts[1] == kernel.kernel;
        } else if let Some(parts) = SPILLS.captures(line).filter(|_| is_own) {
            kernel.stack = number(&parts[1]);
            (kernel.spill_stores, kernel.spill_loads) = (number(&parts[2]), number(&parts[3]));
        } else if let Some(parts) = USED.captures(line) {
            kernel.registers = number(&parts[1]);
            kernel.shared = SHARED.captures(line).map_or(0, |parts| number(&parts[1]));
        }
    }
    found
}

impl Ptxas {
    /// Whether it tells of a kernel: of the same symbol, or of the same name where HIP's types made another symbol.
    pub(crate) fn is_of(&self, symbol: &str) -> bool {
        let bare = |symbol: &str| {
            let name = readable(symbol);
            name.split('(').next().unwrap_or_default().to_owned()
        };
        self.kernel == symbol || bare(&self.kernel) == bare(symbol)
    }

    /// The kernel as its source has it.
    pub(crate) fn name(&self) -> String {
        readable(&self.kernel)
    }

    /// Registers, what was spilled, and memory: three cells of a table.
    pub(crate) fn cells(&self) -> [String; 3] {
        [
            format!("{} a thread", self.registers),
            format!(
                "{} bytes stored, {} loaded",
                self.spill_stores, self.spill_loads
            ),
            format!("{} shared, {} stack", self.shared, self.stack),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_a_log_are_told_from_functions() {
        let log = [
            "[ 50%] Building CUDA object",
            "ptxas info    : 0 bytes gmem, 4 bytes cmem[3]",
            "ptxas info    : Compiling entry function '_Z4rowsPf' for 'sm_90'",
            "ptxas info    : Function properties for _Z4rowsPf",
            "    48 bytes stack frame, 52 bytes spill stores, 56 bytes spill loads",
            "ptxas info    : Used 168 registers, used 1 barriers, 48 bytes cumulative stack size, 4096 bytes smem, 360 bytes cmem[0]",
            "ptxas info    : Compile time = 12.000 ms",
            "ptxas info    : Compiling entry function '_Z4colsPf' for 'sm_80'",
            "ptxas info    : Function properties for _Z4helpf",
            "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
            "ptxas info    : Function properties for _Z4colsPf",
            "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
            "ptxas info    : Used 10 registers, 352+0 bytes smem, 360 bytes cmem[0]",
        ];
        let found = compiled(&log.join("\n"));
        let figures = |it: &Ptxas| {
            [
                it.registers,
                it.spill_stores,
                it.spill_loads,
                it.stack,
                it.shared,
            ]
        };
        let figures: Vec<_> = found.iter().map(figures).collect();
        assert_eq!(figures, [[168, 52, 56, 48, 4096], [10, 0, 0, 0, 352]]);
        assert_eq!([&*found[0].arch, &*found[1].arch], ["sm_90", "sm_80"]);
        assert!(found[0].is_of("_Z4rowsPf") && found[0].is_of("_Z4rowsPd"));
        assert!(!found[0].is_of("_Z4colsPf"));
        assert!(compiled("nothing of it").is_empty());
    }
}
