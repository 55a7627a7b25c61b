//! `nvcc --install DIR`, and the toolkit folder that is made where none was installed.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::cli::output;
use crate::nvcc::{Cache, MARK, Place, Said, Toolkit, help, install};

/// Writes the folder and says how it is used.
pub(super) fn run(mut place: Place, arguments: &[String]) -> Result<()> {
    let (mut folder, mut said) = (None, Said::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let (name, value) = argument
            .split_once('=')
            .map_or((argument.as_str(), None), |(name, value)| {
                (name, Some(value.to_owned()))
            });
        let mut value = || {
            value
                .clone()
                .or_else(|| rest.next().cloned())
                .with_context(|| format!("{name} needs a value"))
        };
        match name {
            "--cuda-version" => {
                let text = value()?;
                place.claim = text.parse().map_err(anyhow::Error::msg)?;
                said.insert("cuda-version".to_owned(), text);
            }
            "--target" => drop(said.insert("target".to_owned(), value()?)),
            "-h" | "--help" => return output::print(&help()),
            "--modules" => drop(said.insert("modules".to_owned(), "1".to_owned())),
            _ if name.starts_with('-') || folder.is_some() => {
                bail!(
                    "{argument}: nvcc --install DIR [--cuda-version X.Y] [--target CHIPS] [--modules]"
                );
            }
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.context("nvcc --install needs the folder to write")?;
    let folder = std::path::absolute(folder)?;
    refuse_others(&folder)?;
    write(&folder, &place, said)?;
    say_how(&folder, &place)
}

/// Refuses to write into a folder that holds something else.
fn refuse_others(folder: &Path) -> Result<()> {
    let is_others = folder
        .read_dir()
        .is_ok_and(|mut items| items.next().is_some())
        && !folder.join(MARK).is_file();
    if is_others {
        bail!(
            "{}: is not empty and no toolkit of this program; name a new folder",
            folder.display()
        );
    }
    Ok(())
}

/// Says how the folder is used, and what it lacks.
fn say_how(folder: &Path, place: &Place) -> Result<()> {
    let shown = folder.display();
    output::print(&format!(
        "written to {shown}; it says it is CUDA {}\n  make    make NVCC={shown}/bin/nvcc CUDA_HOME={shown}\n  cmake   cmake -DCMAKE_CUDA_COMPILER={shown}/bin/nvcc …\n  others  export CUDA_HOME={shown} CUDACXX={shown}/bin/nvcc PATH={shown}/bin:$PATH\n",
        place.claim
    ))?;
    if !place.rocm.join("include").is_dir() {
        output::note(&format!(
            "nvcc: {} has no ROCm; set ROCM_PATH and install again, so that headers and libraries are found\n",
            place.rocm.display()
        ));
    }
    Ok(())
}

/// The toolkit folder: the one that the command lies in, or one in the cache.
pub(super) fn toolkit(place: &Place) -> Result<PathBuf> {
    if let Some(folder) = &place.toolkit {
        return Ok(folder.clone());
    }
    let claim = place.claim.to_string();
    let rocm = place.rocm.display().to_string();
    let key = Cache::key([
        super::translate::identity().as_bytes(),
        claim.as_bytes(),
        rocm.as_bytes(),
    ]);
    let folder = place.cache.join("toolkit").join(&key[..16]);
    if !folder.join(MARK).is_file() {
        write(&folder, place, Said::new())
            .context("set CASS_NVCC_CACHE to a folder that can be written")?;
    }
    Ok(folder)
}

/// The file name of the command.
fn command() -> String {
    format!("nvcc{}", std::env::consts::EXE_SUFFIX)
}

fn write(folder: &Path, place: &Place, mut said: Said) -> Result<()> {
    said.insert("rocm".to_owned(), place.rocm.display().to_string());
    let toolkit = Toolkit {
        program: &std::env::current_exe()?,
        command: &command(),
        rocm: &place.rocm,
        claim: place.claim,
        said,
    };
    install(folder, &toolkit)
}
