//! Modules that the driver of CUDA loads (PTX, cubins, fatbins, listings of machine code): what they are, and the HIP C++ that is made of
//! PTX. The module itself stays as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::compat;
use crate::diagnostic::Finding;
use crate::edit::{Applicability, Edit, EditSet, Fix};
use crate::engine::module_kind::kind;
use crate::engine::suppression::Suppressions;
use crate::engine::verdict::judge::{Judge, without_comments};
use crate::engine::verdict::sort;
use crate::engine::{FileOutcome, Session, route};
use crate::mapping::chip::WITHOUT_GPU;
use crate::options::{CompatMode, Options, WarpMode};
use crate::ptx::{
    ModuleOptions, Obstacle, Reading, Translated, helper_names, is_module, translate_module,
};
use crate::rules::{Event, MadeModule, ModuleKind, notice};
use crate::text::{SourceFile, TextRange};

/// Whether a file is a module that HIP C++ is made of.
pub(crate) fn is_made_into_another(path: &Path, bytes: &[u8]) -> bool {
    path.extension().is_some_and(|it| it == "ptx") && is_module(bytes)
}

/// The name of the file that is made of a module: beside it, with all of its own name, since `k.hip` may be there for `k.cu`.
pub(crate) fn made_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".hip");
    PathBuf::from(name)
}

/// What is said of a module.
pub(super) fn outcome(source: &SourceFile, session: &Session) -> FileOutcome {
    let Some(kind) = kind(&source.path, &source.bytes) else {
        return FileOutcome::default();
    };
    let settings = session.rules.of(&source.path);
    let mut findings = match kind {
        ModuleKind::Ptx => {
            let made = translated(&source.bytes, &session.options);
            let found = of_ptx(source, session, &made.reading);
            // Its comments are those of C.
            let reading = route::Reading::new(source);
            let mut judge = Judge::new(&reading, &settings, &session.options.targets);
            let mut admitted = judge.admit(&reading, found);
            admitted.extend(judge.about_comments(&reading));
            admitted
        }
        _ => without_comments(vec![of_module(source, session, kind, None)], &settings),
    };
    sort(&mut findings);
    FileOutcome {
        suppressed: Suppressions::count(&findings),
        findings,
        is_cuda: true,
        ..FileOutcome::default()
    }
}

fn translated(bytes: &[u8], options: &Options) -> Translated {
    let text = String::from_utf8_lossy(bytes);
    let how = ModuleOptions {
        native: options.warp == WarpMode::Native,
        helpers: options.compat != CompatMode::None,
    };
    translate_module(&text, how)
}

fn of_module(
    source: &SourceFile,
    session: &Session,
    kind: ModuleKind,
    made: Option<MadeModule>,
) -> Finding {
    let head = match kind {
        ModuleKind::Ptx => head(&source.bytes),
        _ => TextRange::new(0, 0),
    };
    let chip = session.options.targets.first();
    notice(&Event::DeviceModule {
        range: head,
        kind,
        made,
        chip: chip.map_or(WITHOUT_GPU[0], String::as_str),
    })
}

/// The directive that a module begins with.
fn head(bytes: &[u8]) -> TextRange {
    let begin = memchr::memmem::find(bytes, b".version").unwrap_or_default();
    let line = bytes[begin..].split(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default().trim_ascii_end();
    TextRange::new(begin as u32, (begin + line.len()) as u32)
}

fn of_ptx(source: &SourceFile, session: &Session, reading: &Reading) -> Vec<Finding> {
    let kernels = reading.functions.iter().filter(|it| it.is_kernel);
    let written = kernels.clone().filter(|it| it.obstacles.is_empty());
    let name = source.path.rsplit('/').next().unwrap_or(&source.path);
    let made = MadeModule {
        name: format!("{name}.hip"),
        written: written.count(),
        kernels: kernels.count(),
    };
    let mut findings = vec![of_module(source, session, ModuleKind::Ptx, Some(made))];
    let place = |at: usize| {
        // Text that is no UTF-8 has other places.
        let begin = at.min(source.bytes.len());
        let rest = &source.bytes[begin..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\n' | b';' | b'{'));
        TextRange::new(begin as u32, (begin + end.unwrap_or(rest.len())) as u32)
    };
    for function in reading
        .functions
        .iter()
        .filter(|it| !it.obstacles.is_empty())
    {
        let obstacles: Vec<Obstacle> = function.obstacles.iter().map(|it| it.1.clone()).collect();
        findings.push(notice(&Event::ModuleFunction {
            range: place(function.obstacles[0].0),
            function: Some((&function.name, function.is_kernel)),
            obstacles: &obstacles,
        }));
    }
    for (at, obstacle) in &reading.obstacles {
        findings.push(notice(&Event::ModuleFunction {
            range: place(*at),
            function: None,
            obstacles: std::slice::from_ref(obstacle),
        }));
    }
    let range = head(&source.bytes);
    let reviews = reading.reviews.iter();
    findings.extend(reviews.map(|note| notice(&Event::ModuleReview { range, note })));
    findings
}

/// The file of HIP C++ that is made of a module of PTX.
pub(crate) fn made(path: &str, bytes: &[u8], session: &Session) -> FileOutcome {
    let module = translated(bytes, &session.options);
    let helpers: BTreeSet<&'static str> = helper_names(&module.text)
        .filter_map(compat::find)
        .map(|helper| helper.name)
        .collect();
    let mut text = comment(path, &module.reading, session);
    text.push_str("#include <hip/hip_runtime.h>\n");
    match session.options.compat {
        CompatMode::Header if !helpers.is_empty() => {
            let header = compat::include_path(path, session.project.helper_header_of(path));
            text.push_str(&format!("#include \"{header}\"\n"));
        }
        CompatMode::Inline if !helpers.is_empty() => text.push_str(&compat::snippets(&helpers)),
        _ => {}
    }
    text.push('\n');
    text.push_str(&module.text);
    let fix = Fix::safe(vec![Edit::insert(0, text.clone())]);
    FileOutcome {
        edits: EditSet::resolve(&[(0, Some(&fix))], Applicability::Manual).edits,
        output: Some(text.into_bytes()),
        is_cuda: true,
        helpers,
        ..FileOutcome::default()
    }
}

/// Where the file comes from, and how it is built.
fn comment(path: &str, reading: &Reading, session: &Session) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let module = name.trim_end_matches(".hip");
    let stem = module.trim_end_matches(".ptx");
    let chip = session.options.targets.first();
    let chip = chip.map_or(WITHOUT_GPU[0], String::as_str);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "// The kernels of {module} (PTX {} for {}) as HIP C++. hipModuleLoad takes what this makes of it:\n//   hipcc --genco --offload-arch={chip} -o {stem}.hsaco {name}\n",
        words(&reading.version),
        words(&reading.target),
    )
}
