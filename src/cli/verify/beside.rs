//! Costs of a kernel on several chips, and what CUDA's compiler said of it, side by side.

use std::fmt::Write as _;

use serde::Serialize;

use crate::verify::costs::{Advice, Cost, Line, Ptxas, advice};

/// What is known of kernels.
#[derive(Debug, Default)]
pub(super) struct Beside {
    lines: Vec<Line>,
    cuda: Vec<Ptxas>,
}

/// A kernel of a case.
#[derive(Debug, Serialize)]
pub(super) struct Kernel {
    /// The case and the kernel as its source has it.
    pub(super) name: String,
    pub(super) advice: Vec<Advice>,
    /// AMD's chips, then CUDA's.
    pub(super) rows: Vec<Row>,
    /// What was counted, by chip.
    pub(super) figures: Vec<(String, Vec<String>)>,
}

/// A kernel as one compiler made it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) side: String,
    /// Registers, what was spilled, memory.
    pub(super) cells: [String; 3],
}

impl Beside {
    pub(super) fn new(lines: Vec<Line>, cuda: Vec<Ptxas>) -> Self {
        Self { lines, cuda }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The kernels, in the order in which they were counted first.
    pub(super) fn kernels(&self) -> Vec<Kernel> {
        let mut keys: Vec<(&str, &str)> = Vec::new();
        for line in &self.lines {
            let key = (line.case.as_str(), line.cost.symbol());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.into_iter().map(|key| self.kernel(key)).collect()
    }

    fn kernel(&self, (case, symbol): (&str, &str)) -> Kernel {
        let own = self.lines.iter();
        let own = own.filter(|line| line.case == case && line.cost.symbol() == symbol);
        let mut counted: Vec<&Cost> = own.map(|line| &line.cost).collect();
        let cuda: Vec<&Ptxas> = self.cuda.iter().filter(|it| it.is_of(symbol)).collect();
        // Wide waves first: it is they that work for 32 lanes leaves idle.
        counted.sort_by_key(|cost| std::cmp::Reverse(cost.lanes()));
        let amd = counted.iter().map(|cost| Row {
            side: cost.side(),
            cells: cost.cells(),
        });
        let nvidia = cuda.iter().map(|it| Row {
            side: format!("{}, by ptxas", it.arch),
            cells: it.cells(),
        });
        Kernel {
            name: format!("{case}: {}", counted[0].name()),
            advice: advice(&counted, cuda.first().copied()),
            rows: amd.chain(nvidia).collect(),
            figures: counted
                .iter()
                .map(|cost| (cost.side(), cost.figures()))
                .collect(),
        }
    }

    /// Kernels that CUDA's compiler told of and nobody counted.
    pub(super) fn without_kernel(&self) -> Vec<String> {
        let is_counted = |it: &&Ptxas| self.lines.iter().any(|line| it.is_of(line.cost.symbol()));
        let mut left: Vec<String> = self
            .cuda
            .iter()
            .filter(|it| !is_counted(it))
            .map(Ptxas::name)
            .collect();
        left.sort();
        left.dedup();
        left
    }

    /// For people: a table for each kernel, what was counted on each chip, then the advice.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for kernel in self.kernels() {
            let _ = writeln!(text, "{}", kernel.name);
            let mut rows = vec![
                ["compiled for", "registers", "spilled", "bytes of memory"].map(str::to_owned),
            ];
            for Row {
                side,
                cells: [registers, spilled, memory],
            } in kernel.rows
            {
                rows.push([side, registers, spilled, memory]);
            }
            let widths: [usize; 4] =
                std::array::from_fn(|at| rows.iter().map(|row| row[at].len()).max().unwrap_or(0));
            for row in rows {
                let cells = row
                    .iter()
                    .zip(widths)
                    .map(|(cell, width)| format!("{cell:<width$}"));
                let line = cells.collect::<Vec<_>>().join("  ");
                let _ = writeln!(text, "  {}", line.trim_end());
            }
            for (side, lines) in kernel.figures {
                let _ = writeln!(text, "  {side}");
                for line in lines {
                    let _ = writeln!(text, "    {line}");
                }
            }
            for advice in kernel.advice {
                let _ = writeln!(text, "  = note[{}]: {}", advice.name, advice.text);
            }
        }
        let left = self.without_kernel();
        if !left.is_empty() {
            let _ = writeln!(text, "told by ptxas and not counted: {}", left.join(", "));
        }
        text + "costs are counts of an emulated run; no time follows from them\n"
    }
}
