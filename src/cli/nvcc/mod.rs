//! `nvcc`: the command itself, and the program under the names `nvcc` and `cass-ld`.

mod install;
mod place;
mod tell;
mod translate;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, anyhow, bail};

use super::args::NvccArgs;
use super::{Exit, input, output};
use crate::emit;
use crate::nvcc::{
    self, Invocation, Mode, Modules, Place, Plan, Question, Step, Tools, keep_device_code,
    needs_device_link,
};
pub(super) use place::{cache_base, compiler as compiler_of, in_path, variable_of as variable};
use tell::quoted;
use translate::Translator;

/// The name under which the program plays clang's linker.
const LINKER: &str = "cass-ld";

/// Runs when the program was called `nvcc`, or `nvcc` is its first argument.
pub(super) fn by_name(arguments: &[OsString]) -> Option<ExitCode> {
    let program = Path::new(arguments.first()?);
    let rest = |from: usize| -> Vec<String> {
        let words = arguments.iter().skip(from);
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    };
    let code = match program.file_stem()?.to_str()? {
        "nvcc" | "cass-nvcc" => play(program, rest(1)),
        LINKER => link(&rest(1)),
        _ if arguments.get(1)? == "nvcc" => play(program, rest(2)),
        _ => return None,
    };
    Some(ExitCode::from(code))
}

/// Runs the command where clap found it.
pub(super) fn run(args: &NvccArgs) -> Result<Exit> {
    let words = args
        .arguments
        .iter()
        .map(|word| word.to_string_lossy().into_owned());
    match play(Path::new("cass-transpile"), words.collect()) {
        0 => Ok(Exit::Clean),
        _ => Ok(Exit::Trouble),
    }
}

fn link(arguments: &[String]) -> u8 {
    match keep_device_code(arguments) {
        Ok(()) => 0,
        Err(message) => fatal(&message),
    }
}

/// Says in nvcc's words why nothing was done.
fn fatal(message: &str) -> u8 {
    output::note(&format!(
        "nvcc fatal   : {}\n",
        crate::report::text::harmless(message)
    ));
    1
}

fn play(program: &Path, arguments: Vec<String>) -> u8 {
    let done = place::find_program(program)
        .map_err(anyhow::Error::msg)
        .and_then(|place| match arguments.first().map(String::as_str) {
            Some("--install") => install::run(place, &arguments[1..]).map(|()| 0),
            _ => compile(place, arguments),
        });
    done.unwrap_or_else(|error| fatal(&format!("{error:#}")))
}

/// A folder for what this call alone translates, where the cache cannot be trusted: nothing is kept then.
fn in_place_of_cache(place: &mut Place) -> Result<Option<tempfile::TempDir>> {
    let Err(why) = emit::private_folder(&place.cache) else {
        return Ok(None);
    };
    if place.tells {
        tell::warnings(&[format!(
            "the cache is not used: {why}; set CASS_NVCC_CACHE to a folder that only you can write to"
        )]);
    }
    let folder = temporary_folder()?;
    place.cache = folder.path().to_path_buf();
    Ok(Some(folder))
}

fn temporary_folder() -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("cass-nvcc-")
        .tempdir()
        .context("no folder for temporary files; set TMPDIR")
}

fn compile(mut place: Place, arguments: Vec<String>) -> Result<u8> {
    let _held = in_place_of_cache(&mut place)?;
    let is_probe = arguments
        .iter()
        .any(|word| word == "__cmake_determine_cuda");
    let translator = Translator::new(&place, &arguments)?;
    let invocation = Invocation::new(arguments, translator.choices(), Modules(place.modules))
        .map_err(anyhow::Error::msg)?;
    if let Some(question) = invocation.question {
        return answer(question, &place);
    }
    if is_probe {
        output::note(&nvcc::probe(&install::toolkit(&place)?));
        bail!("Don't know what to do with '__cmake_determine_cuda'");
    }
    if invocation.items.is_empty() {
        bail!("No input files specified; use option --help for more information");
    }
    let compiler = place.compiler.clone().ok_or_else(|| {
        anyhow!(
            "no compiler for AMD GPUs in {} or PATH; set ROCM_PATH to ROCm's folder, or CASS_NVCC_CLANG to its clang++",
            place.rocm.display()
        )
    })?;
    let sources: Vec<&str> = invocation.sources().map(|(path, _)| path).collect();
    if nvcc::is_identification(&sources) {
        return identify(&place, &compiler, &invocation, &sources);
    }
    let several = sources.len() > 1 && invocation.output.is_some();
    if several
        && !matches!(
            invocation.mode,
            Mode::Link | Mode::Library | Mode::DeviceLink
        )
    {
        bail!(
            "A single input file is required for a non-link phase when an outputfile is specified"
        );
    }
    input::interrupted();
    Work {
        invocation: &invocation,
        translator: &translator,
        place: &place,
        compiler: &compiler,
    }
    .run()
}

fn answer(question: Question, place: &Place) -> Result<u8> {
    output::print(&match question {
        Question::Version => place.claim.text(),
        Question::Help => nvcc::help(),
        Question::Architectures => nvcc::architectures(),
        Question::Chips => nvcc::chips(),
    })?;
    Ok(0)
}

fn identify(
    place: &Place,
    compiler: &Path,
    invocation: &Invocation,
    sources: &[&str],
) -> Result<u8> {
    let toolkit = install::toolkit(place)?;
    let output = invocation.output.as_deref().unwrap_or("a.out");
    let (text, arguments) = nvcc::identification(
        place.claim,
        &toolkit,
        compiler,
        &invocation.architectures,
        sources,
        output,
    );
    output::note(&text);
    let step = Step {
        program: compiler.to_path_buf(),
        arguments,
    };
    execute(&step)
}

/// An invocation and all that it is done with.
struct Work<'a> {
    invocation: &'a Invocation,
    translator: &'a Translator<'a>,
    place: &'a Place,
    compiler: &'a Path,
}

impl Work<'_> {
    fn run(&self) -> Result<u8> {
        let temporary = temporary_folder()?;
        let headers = install::toolkit(self.place)?.join("include");
        let targets = self.translator.targets(&self.invocation.targets);
        let plan = Plan::new(
            self.invocation,
            Tools {
                place: self.place,
                compiler: self.compiler,
                targets: &targets,
                temporary: temporary.path(),
                headers: &headers,
            },
        );
        if self.place.tells && !self.invocation.is_quiet {
            tell::warnings(&self.invocation.warnings);
        }
        for (number, (source, kind)) in self.invocation.sources().enumerate() {
            std::fs::create_dir_all(temporary.path().join(number.to_string()))?;
            let view = self.translator.view(source, kind, self.invocation)?;
            let code = self.step(&plan.compile(number, source, kind, &view))?;
            if code != 0 {
                self.hint(&targets);
                return Ok(code);
            }
        }
        let linker = temporary.path().join(LINKER);
        let device_code = self.has_device_code(&plan, &linker)?;
        let Some(last) = plan.last(device_code, &linker) else {
            return Ok(0);
        };
        let code = self.step(&last)?;
        match &self.invocation.run {
            Some(arguments) if code == 0 => self.launch(arguments),
            _ => Ok(code),
        }
    }

    /// Whether the last step links device code; the linker's stand-in is made where it is needed.
    fn has_device_code(&self, plan: &Plan<'_>, linker: &Path) -> Result<bool> {
        if !matches!(self.invocation.mode, Mode::Link | Mode::DeviceLink) {
            return Ok(false);
        }
        let has = needs_device_link(&plan.objects());
        if has && self.invocation.mode == Mode::DeviceLink {
            crate::emit::link(&std::env::current_exe()?, linker)?;
        }
        Ok(has)
    }

    fn launch(&self, arguments: &[String]) -> Result<u8> {
        let program = self.invocation.output.as_deref().unwrap_or("a.out");
        let program = PathBuf::from(program);
        let program = if program.components().count() == 1 {
            Path::new(".").join(program)
        } else {
            program
        };
        self.step(&Step {
            program,
            arguments: arguments.to_vec(),
        })
    }

    fn step(&self, step: &Step) -> Result<u8> {
        if self.invocation.is_dry || self.invocation.is_verbose {
            output::note(&format!("#$ {}\n", quoted(step)));
        }
        if self.invocation.is_dry {
            return Ok(0);
        }
        execute(step)
    }

    /// What helps where no chip was named and none is plugged in.
    fn hint(&self, targets: &[String]) {
        if targets == ["native"] && !self.place.rocm.join("bin").exists() {
            output::note(
                "nvcc: the GPU of this machine is compiled for; without one set CASS_NVCC_TARGET=gfx90a\n",
            );
        }
    }
}

/// Runs a command and gives its exit code; that of a signal as shells do.
fn execute(step: &Step) -> Result<u8> {
    let status = Command::new(&step.program)
        .args(&step.arguments)
        .stdin(Stdio::inherit())
        .status()
        .with_context(|| format!("{} cannot be started", step.program.display()))?;
    Ok(match status.code() {
        Some(code) => u8::try_from(code).unwrap_or(1),
        None => 128 + signal(status),
    })
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .signal()
        .and_then(|number| u8::try_from(number).ok())
        .unwrap_or(0)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> u8 {
    0
}
