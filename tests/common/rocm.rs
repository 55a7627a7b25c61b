//! The compiler for AMD GPUs: `tests/rocm/compile.sh` with the headers that `tests/rocm/setup.sh` fetched.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Compilers at a time; each process takes up to 1 GB (Thrust, hipCUB).
const WORKERS: usize = 2;

/// The compile script with the headers and the chip it compiles for.
pub(crate) struct Compiler {
    pub(crate) rocm: PathBuf,
    pub(crate) arch: String,
    /// Where HIP's runtime header is kept parsed, for tests that have many small files looked at.
    pub(crate) precompiled: Option<PathBuf>,
}

/// What the compile script said about some files.
pub(crate) struct Compiled {
    pub(crate) ok: bool,
    pub(crate) output: String,
}

impl Compiler {
    /// The compiler with the headers of `CASS_ROCM`, for tests that are ignored unless somebody asks for them.
    pub(crate) fn required() -> Self {
        Self {
            rocm: required_folder("CASS_ROCM", "tests/rocm/setup.sh"),
            arch: std::env::var("CASS_ROCM_ARCH").unwrap_or_else(|_| "gfx90a".to_owned()),
            precompiled: None,
        }
    }

    pub(crate) fn compile(&self, options: &[String], files: &[PathBuf]) -> Compiled {
        let output = Command::new("bash")
            .arg(root().join("tests/rocm/compile.sh"))
            .arg(&self.rocm)
            .arg(&self.arch)
            .args(options)
            .args(files)
            .envs(self.precompiled.iter().map(|it| ("CASS_PRECOMPILED", it)))
            .output()
            .expect("bash runs");
        let text = text_of(&output);
        // 1 is a file that does not compile; anything else would make every negative test pass.
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "compile.sh could not do its work: {text}"
        );
        Compiled {
            ok: output.status.success(),
            output: text,
        }
    }

    pub(crate) fn compile_text(&self, source: &str) -> Compiled {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("probe.hip");
        std::fs::write(&file, source).expect("the temporary folder can be written");
        self.compile(&[], &[file])
    }

    pub(crate) fn device_pass_failed(&self, result: &Compiled) -> bool {
        result.output.contains(&format!("FAILED ({})", self.arch))
    }
}

/// What the work says of each item, in no order; as many compilers run at a time as memory allows.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Option<R> + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(item);
                    results.lock().expect("no worker panicked").extend(result);
                }
            });
        }
    });
    results.into_inner().expect("no worker panicked")
}

/// The folder that a variable names and a script fills. A test that needs one is ignored with the script's name as its reason, so who
/// runs it all the same (CI: `--include-ignored`) wants to hear that it could not.
pub(crate) fn required_folder(variable: &str, filled_by: &str) -> PathBuf {
    let folder = std::env::var_os(variable).filter(|value| !value.is_empty());
    let folder = folder.unwrap_or_else(|| panic!("run {filled_by} DIR and set {variable}=DIR"));
    PathBuf::from(folder)
}

/// What lies in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let read =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = read
        .map(|entry| entry.expect("folders are readable").path())
        .collect();
    paths.sort();
    paths
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Both streams of a finished process.
pub(crate) fn text_of(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
