//! `verify`: programs that compute the same, programs that do not, and programs that only seem to.
#![cfg(unix)]

mod cheats;
#[path = "../common/mod.rs"]
mod common;
mod compares;
mod costs;
mod device;
mod runs;

use common::{Done, Tree};

/// A program that prints numbers, some of which are timings, and writes a file.
pub(crate) const ORIGINAL: &str = r#"
echo "CUDA heat, started $(date +%H:%M:%S) on NVIDIA H200"
for i in 1 2 3 4 5 6 7 8; do echo "step $i energy 1.2345$i res 3.14159e-0$i"; done
echo "elapsed $(date +%N | cut -c1-7).5 us, /tmp/$$/out"
printf 'x 1.5\ny 2.5\n' > field.txt
"#;

/// Records one script, runs another, and says how they compare.
pub(crate) fn compared(original: &str, port: &str, options: &[&str]) -> Done {
    let tree = Tree::new(&[("a/prog", original), ("b/prog", port)]);
    tree.recorded();
    let mut arguments = vec!["verify", "run", "--against", "gold.jsonl", "--cwd", "b"];
    arguments.extend(options);
    arguments.extend(["--", "sh", "prog"]);
    tree.run(&arguments)
}

impl Tree {
    fn recorded(&self) {
        let done = self.run(&[
            "verify",
            "record",
            "-o",
            "gold.jsonl",
            "--cwd",
            "a",
            "--",
            "sh",
            "prog",
        ]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
}
