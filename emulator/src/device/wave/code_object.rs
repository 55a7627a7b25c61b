//! A loaded code object: segments in memory, symbols, kernels.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{
    Endianness, Object, ObjectSection, ObjectSegment, ObjectSymbol, RelocationFlags,
    RelocationTarget,
};

use crate::device::memory::{Kind, Memory};
use crate::device::model::chip::Chip;
use crate::device::model::descriptor::Descriptor;
use crate::device::model::load_error::LoadError;
use crate::device::model::metadata::{self, Kernel};
use crate::device::wave::program::{Context, Decode, Program};

fn error(message: impl fmt::Display) -> LoadError {
    LoadError(format!("not a code object that can be loaded: {message}"))
}

/// Type of the note that holds the metadata.
const NT_AMDGPU_METADATA: u32 = 32;
/// Relocations of shared code objects: base plus addend, and symbol plus addend.
const R_AMDGPU_RELATIVE64: u32 = 13;
const R_AMDGPU_ABS64: u32 = 3;
/// Alignment of segments, and bytes kept free after them so that the chip's prefetch stays inside.
const PAGE: usize = 4096;

/// Memory with the segments, in the table of memory as long as it lives.
struct Image {
    base: *mut u8,
    layout: Layout,
    memory: Arc<Memory>,
}

// SAFETY: the memory belongs to the program that runs; nothing here reads or writes it after loading.
unsafe impl Send for Image {}
// SAFETY: as above.
unsafe impl Sync for Image {}

impl Image {
    fn new(bytes: usize, memory: &Arc<Memory>) -> Result<Image, LoadError> {
        let layout =
            Layout::from_size_align(bytes.max(1).next_multiple_of(PAGE), PAGE).map_err(error)?;
        // SAFETY: the size is not 0.
        let base = unsafe { alloc_zeroed(layout) };
        if base.is_null() {
            return Err(error(format!("no memory for {bytes} bytes")));
        }
        memory.add(base as u64, layout.size() as u64, Kind::CodeObject);
        Ok(Image {
            base,
            layout,
            memory: Arc::clone(memory),
        })
    }

    /// Copies bytes to an offset.
    fn copy(&mut self, offset: u64, bytes: &[u8]) -> Result<(), LoadError> {
        let end = (offset as usize)
            .checked_add(bytes.len())
            .filter(|end| *end <= self.layout.size());
        end.ok_or_else(|| error("a segment or relocation lies outside of the image"))?;
        // SAFETY: the range is inside of the allocation.
        unsafe {
            std::ptr::copy_nonoverlapping(
                bytes.as_ptr(),
                self.base.add(offset as usize),
                bytes.len(),
            )
        };
        Ok(())
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.memory.remove(self.base as u64);
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.base, self.layout) };
    }
}

/// A loaded code object.
pub struct CodeObject {
    image: Image,
    chip: Chip,
    kernels: BTreeMap<String, Kernel>,
    descriptors: BTreeMap<String, (u64, Descriptor)>,
    symbols: BTreeMap<String, (u64, u64)>,
    functions: Vec<(u64, u64, String)>,
    text: (u64, Vec<u8>),
    accumulators: u16,
    decode: Decode,
    programs: [OnceLock<Result<Program, LoadError>>; 2],
    pub(crate) elf: Vec<u8>,
}

type Elf<'a> = ElfFile64<'a, Endianness>;

impl CodeObject {
    /// Loads an ELF image: copies its segments, applies relocations, reads symbols and metadata.
    pub(crate) fn load(
        bytes: &[u8],
        chip: Chip,
        memory: &Arc<Memory>,
        decode: Decode,
    ) -> Result<CodeObject, LoadError> {
        let elf: Elf<'_> = ElfFile64::parse(bytes).map_err(error)?;
        let end = elf
            .segments()
            .map(|s| s.address() + s.size())
            .max()
            .ok_or_else(|| error("it has no segments"))?;
        let mut image = Image::new(end as usize + PAGE, memory)?;
        for segment in elf.segments() {
            image.copy(segment.address(), segment.data().map_err(error)?)?;
        }
        relocate(&elf, &mut image)?;
        let base = image.base as u64;
        let kernels = kernels(&elf, bytes)?;
        let mut object = CodeObject {
            descriptors: descriptors(&elf, &kernels, base)?,
            symbols: symbols(&elf, base),
            functions: functions(&elf),
            text: text(&elf)?,
            accumulators: 0,
            decode,
            programs: [OnceLock::new(), OnceLock::new()],
            elf: bytes.to_vec(),
            image,
            chip,
            kernels,
        };
        let offset = |(_, d): &(u64, Descriptor)| ((d.rsrc3 & 63) as u16 + 1) * 4;
        object.accumulators = object.descriptors.values().map(offset).max().unwrap_or(0);
        Ok(object)
    }

    /// The kernels by name.
    pub fn kernels(&self) -> &BTreeMap<String, Kernel> {
        &self.kernels
    }

    /// The kernel of a (mangled) name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.get(name)
    }

    /// Address and length in bytes of a variable (`__device__`, `__constant__`, `NAME` and `NAME.managed` of managed ones).
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }

    /// Address and contents of a kernel's descriptor.
    pub(crate) fn descriptor(&self, kernel: &str) -> Option<(u64, Descriptor)> {
        self.descriptors.get(kernel).copied()
    }

    /// Row of the register file where accumulation registers begin.
    pub(crate) fn accumulators(&self) -> u16 {
        self.accumulators
    }

    /// The instructions for waves of 32 or 64 lanes.
    pub(crate) fn program(&self, wavefront: u32) -> Result<&Program, LoadError> {
        let made = self.programs[usize::from(wavefront == 64)].get_or_init(|| {
            let context = Context {
                family: self.chip.family,
                wavefront,
                accumulators: self.accumulators,
            };
            let start = self.image.base as u64 + self.text.0;
            Program::new(
                self.chip.name,
                self.text.1.clone(),
                start,
                context,
                self.decode,
            )
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Function and offset of a word of the text, such as `reduce+0x1c4`, and its address in the ELF image.
    pub(crate) fn function(&self, word: u32) -> (String, u64) {
        let address = self.text.0 + u64::from(word) * 4;
        let around = self
            .functions
            .iter()
            .find(|(start, size, _)| (*start..start + size).contains(&address));
        match around {
            Some((start, _, name)) => (format!("{name}+{:#x}", address - start), address),
            None => (format!("text+{:#x}", u64::from(word) * 4), address),
        }
    }
}

fn relocate(elf: &Elf<'_>, image: &mut Image) -> Result<(), LoadError> {
    let base = image.base as u64;
    let Some(relocations) = elf.dynamic_relocations() else {
        return Ok(());
    };
    for (offset, relocation) in relocations {
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            continue;
        };
        let addend = relocation.addend() as u64;
        let value = match (r_type, relocation.target()) {
            (R_AMDGPU_RELATIVE64, _) => base.wrapping_add(addend),
            (R_AMDGPU_ABS64, RelocationTarget::Symbol(index)) => {
                let symbol = elf
                    .dynamic_symbol_table()
                    .and_then(|t| object::ObjectSymbolTable::symbol_by_index(&t, index).ok());
                let symbol = symbol.ok_or_else(|| error("a relocation names no symbol"))?;
                if symbol.is_undefined() {
                    return Err(error(format!(
                        "the symbol {} is not defined",
                        symbol.name().unwrap_or("?")
                    )));
                }
                base.wrapping_add(symbol.address()).wrapping_add(addend)
            }
            (0, _) => continue,
            (other, _) => return Err(error(format!("relocation type {other}"))),
        };
        image.copy(offset, &value.to_le_bytes())?;
    }
    Ok(())
}

fn kernels(elf: &Elf<'_>, bytes: &[u8]) -> Result<BTreeMap<String, Kernel>, LoadError> {
    let header = elf.elf_header();
    let endian = elf.endian();
    for segment in header.program_headers(endian, bytes).map_err(error)? {
        let Some(mut notes) = segment.notes(endian, bytes).map_err(error)? else {
            continue;
        };
        while let Some(note) = notes.next().map_err(error)? {
            if note.n_type(endian) == NT_AMDGPU_METADATA {
                return metadata::kernels(note.desc()).map_err(error);
            }
        }
    }
    Err(error(
        "it has no metadata of kernels; code objects before version 3 are not supported",
    ))
}

fn descriptors(
    elf: &Elf<'_>,
    kernels: &BTreeMap<String, Kernel>,
    base: u64,
) -> Result<BTreeMap<String, (u64, Descriptor)>, LoadError> {
    let mut found = BTreeMap::new();
    for symbol in elf.dynamic_symbols().chain(elf.symbols()) {
        let Some(kernel) = symbol.name().ok().and_then(|name| name.strip_suffix(".kd")) else {
            continue;
        };
        let address = symbol.address();
        let holds = |s: &object::read::elf::ElfSegment64<'_, '_, Endianness>| {
            (s.address()..s.address() + s.size()).contains(&address)
        };
        let segment = elf
            .segments()
            .find(holds)
            .ok_or_else(|| error("a kernel descriptor lies outside of the segments"))?;
        let data = segment.data().map_err(error)?;
        let bytes = data
            .get((address - segment.address()) as usize..)
            .unwrap_or(&[]);
        let descriptor = Descriptor::parse(bytes)
            .ok_or_else(|| error(format!("the descriptor of {kernel} is cut off")))?;
        found.insert(kernel.to_string(), (base + address, descriptor));
    }
    match kernels.keys().find(|name| !found.contains_key(*name)) {
        Some(name) => Err(error(format!("the kernel {name} has no descriptor"))),
        None => Ok(found),
    }
}

fn symbols(elf: &Elf<'_>, base: u64) -> BTreeMap<String, (u64, u64)> {
    elf.symbols()
        .chain(elf.dynamic_symbols())
        .filter(|symbol| symbol.is_definition() || symbol.size() > 0)
        .filter_map(|symbol| {
            Some((
                symbol.name().ok()?.to_string(),
                (base + symbol.address(), symbol.size()),
            ))
        })
        .collect()
}

fn functions(elf: &Elf<'_>) -> Vec<(u64, u64, String)> {
    let mut all: Vec<_> = elf
        .symbols()
        .chain(elf.dynamic_symbols())
        .filter(|symbol| symbol.kind() == object::SymbolKind::Text)
        .filter_map(|symbol| {
            Some((
                symbol.address(),
                symbol.size(),
                symbol.name().ok()?.to_string(),
            ))
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

fn text(elf: &Elf<'_>) -> Result<(u64, Vec<u8>), LoadError> {
    match elf.section_by_name(".text") {
        Some(section) => Ok((section.address(), section.data().map_err(error)?.to_vec())),
        None => Ok((0, Vec::new())),
    }
}
