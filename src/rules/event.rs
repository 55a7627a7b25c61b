//! What the engine notices about a file beyond what single places show: the rule that an event belongs to says it.

use crate::diagnostic::{ApiUse, Finding};
use crate::mapping::ApiEntry;
use crate::ptx::Obstacle;
use crate::text::{Caller, SourceFile, TextRange};

/// What the driver of CUDA loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// The text of an abstract machine.
    Ptx,
    /// Machine code of one of NVIDIA's chips.
    Cubin,
    /// Several of the two.
    Fatbin,
    /// A listing of machine code.
    Sass,
}

/// Where a program in another language names something of CUDA's without calling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A library that the program is linked with.
    Library,
    /// A text.
    Text,
    /// The build script names it, for the linker or for bindings.
    InBuild {
        /// It looks first whether there is such a library, or whether somebody wants it.
        asks_first: bool,
    },
}

/// What a warp function lacks on AMD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpLack {
    /// It comes with ROCm 7.0.
    Release,
    /// ROCm before 7.0 has it where a macro asks for it.
    Switch,
    /// A width, in code that counts in 32 lanes.
    Width,
}

/// HIP C++ that is made of a module.
#[derive(Clone, Debug)]
pub struct MadeModule {
    /// The name of its file.
    pub name: String,
    /// Kernels that it has.
    pub written: usize,
    /// Kernels of the module.
    pub kernels: usize,
}

/// What was noticed.
pub enum Event<'e> {
    /// A name of CUDA is left in the result, and no other finding is about it.
    NameLeft {
        /// The name.
        range: TextRange,
        /// What the tables know of it.
        entry: &'e ApiEntry,
        /// The use that it is.
        api: ApiUse,
    },
    /// The result has more syntax errors than the source.
    SyntaxErrors {
        /// Where the first of them is, in the source.
        range: TextRange,
        /// How many more.
        extra: usize,
    },
    /// A header of ROCm in code for AMD alone that does not compile in front of the runtime header, where nothing has brought that.
    LateHeaderForAmd {
        /// The include.
        range: TextRange,
        /// Where its line starts.
        line: u32,
        /// Its path.
        path: &'e str,
        /// How lines of the file end.
        newline: &'static str,
    },
    /// Code that is for AMD alone has a name or header of CUDA.
    CudaForAmd {
        /// The first place.
        range: TextRange,
        /// What the tables know of the name.
        entry: &'e ApiEntry,
        /// How many places there are.
        uses: usize,
    },
    /// A branch for AMD defines `__CUDA_ARCH__` in front of HIP's headers.
    ArchForAmd {
        /// The macro's name.
        range: TextRange,
    },
    /// Code that AMD compiles as it stands has a warp function that needs a look.
    WarpForAmd {
        /// The first place.
        range: TextRange,
        /// The function.
        name: &'e str,
        /// What it lacks.
        lack: WarpLack,
    },
    /// The project's own support for AMD leaves a name out that code of both vendors has.
    NotCovered {
        /// The first place.
        range: TextRange,
        /// The name.
        name: &'e str,
        /// How many places there are.
        uses: usize,
        /// What to do about it.
        help: String,
    },
    /// A file has nothing for AMD, in a project that supports AMD elsewhere.
    FileNotCovered {
        /// The first name of CUDA in it.
        range: TextRange,
        /// The name.
        name: &'e str,
        /// How many other names it has.
        others: usize,
        /// Nothing for AMD reaches it by its includes either: it cannot be compiled for AMD.
        is_alone: bool,
    },
    /// A folder of a project that supports AMD is written for CUDA alone, and translated.
    FolderForCuda {
        /// The first name of CUDA in its first file.
        range: TextRange,
        /// How many files of it.
        files: usize,
        /// They stay CUDA's, and headers beside them give the names a meaning for AMD.
        is_for_both: bool,
    },
    /// A file that is translated includes what the project keeps for CUDA, beside a file for AMD.
    IncludeForCuda {
        /// The path in the include.
        range: TextRange,
        /// The file for CUDA.
        path: &'e str,
        /// The file for AMD, if it is known which it is.
        twin: Option<&'e str>,
    },
    /// A program in another language calls functions of CUDA.
    ForeignCalls {
        /// The first of them.
        range: TextRange,
        /// Its name.
        name: String,
        /// How many there are.
        calls: usize,
        /// What it is written in.
        caller: Caller,
        /// The first is no call: a build script names it for the linker or for bindings.
        named: Option<Named>,
    },
    /// A file with CUDA is in UTF-16 or UTF-32, or no text at all: it has no tokens.
    WideText(&'e SourceFile),
    /// A comment to the tool cannot be read.
    InvalidComment {
        /// The comment.
        range: TextRange,
        /// What is wrong with it.
        problem: String,
    },
    /// A comment to the tool suppresses nothing.
    UselessComment {
        /// The comment, or the word of it that is useless.
        range: TextRange,
        /// The whole comment.
        comment: TextRange,
        /// That word.
        word: Option<&'e str>,
    },
    /// The build for AMD leaves a source out that has CUDA.
    NvidiasSource {
        /// The first place.
        range: TextRange,
        /// How many places there are.
        places: usize,
    },
    /// A build file is about CUDA's toolkit, in a tree that PyTorch builds.
    OtherBuildFile {
        /// The first place.
        range: TextRange,
        /// How many places there are.
        places: usize,
        /// What stands at the first of them, each once.
        words: &'e [String],
        /// PyTorch's build reads the file.
        is_read: bool,
        /// What it does ends on AMD, and no other build does it.
        is_open: bool,
        /// It is a script of a shell.
        is_script: bool,
    },
    /// A module that the driver of CUDA loads lies in the tree.
    DeviceModule {
        /// Its first bytes.
        range: TextRange,
        /// What it is.
        kind: ModuleKind,
        /// What a conversion writes beside it.
        made: Option<MadeModule>,
        /// The chip that it is built for.
        chip: &'e str,
    },
    /// A function of a module is not written in C++.
    ModuleFunction {
        /// The first place that stands in the way.
        range: TextRange,
        /// Its name and whether it is a kernel; `None` for what stands outside of functions.
        function: Option<(&'e str, bool)>,
        /// What stands in the way.
        obstacles: &'e [Obstacle],
    },
    /// A module does something otherwise on AMD.
    ModuleReview {
        /// The head of the module.
        range: TextRange,
        /// What a person must look at.
        note: &'e str,
    },
    /// Work by hand and a new translation cannot be brought together.
    Conflict {
        /// The place in the source.
        range: TextRange,
        /// What is the matter.
        message: String,
        /// What to do, where that is not to resolve markers.
        help: Option<&'static str>,
    },
}

/// Says what there is to say of an event; `None` for one that belongs to another rule.
pub type EventCheck = fn(&Event<'_>) -> Option<Finding>;
