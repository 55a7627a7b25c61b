//! The places that rules look at.

use super::context::{
    BuildFileCheck, DirectiveCheck, IncludeCheck, LaunchCheck, NameCheck, PythonCheck, SourceCheck,
};
use super::event::EventCheck;

/// What a rule looks at, and what it does there.
pub enum Check {
    /// These identifiers, wherever they are code.
    Idents(&'static [&'static str], NameCheck),
    /// The identifiers of a table of the rule's own, wherever they are code.
    Listed(fn() -> &'static [&'static str], NameCheck),
    /// These identifiers, and no table entry of theirs is applied: the rule does all there is to do.
    Claimed(&'static [&'static str], NameCheck),
    /// Every identifier that the tables know and no rule claims.
    Api(NameCheck),
    /// Every function that HIP lacks and a helper of `src/compat` stands for, unless another rule claims it; claimed likewise.
    Helper(NameCheck),
    /// Every kernel launch.
    Launch(LaunchCheck),
    /// Every include with a literal path.
    Include(IncludeCheck),
    /// Every preprocessor directive.
    Directive(DirectiveCheck),
    /// Once per file of C++, after everything else.
    Source(SourceCheck),
    /// Once per build file: a Makefile, a CMake list, a shell script, a `setup.py` without extensions of PyTorch.
    BuildFile(BuildFileCheck),
    /// Once per file that says how something is built in another language: an image, a job of CI, a preset.
    OtherBuildFile(BuildFileCheck),
    /// Once per Python file that builds extensions of PyTorch.
    Extension(PythonCheck),
    /// Once per Python file that has to do with GPUs.
    Python(PythonCheck),
    /// What the engine notices while it works on a file.
    Event(EventCheck),
}
