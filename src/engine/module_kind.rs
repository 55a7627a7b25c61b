//! Which file is a module that the driver of CUDA loads, and of what kind.

use crate::ptx::is_module;
use crate::rules::ModuleKind;

/// What the driver would load, by name and content; `None` for other files of such a name.
pub(super) fn kind(path: &str, bytes: &[u8]) -> Option<ModuleKind> {
    const FATBIN: &[u8] = &[0x50, 0xed, 0x55, 0xba];
    // `e_machine` of ELF for CUDA.
    const CUDA: &[u8] = &[190, 0];
    let is_elf = bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(CUDA);
    let is_listing = || {
        let head = &bytes[..bytes.len().min(1 << 14)];
        [&b".headerflags"[..], b"code for sm_", b"Function :"]
            .iter()
            .any(|word| memchr::memmem::find(head, word).is_some())
    };
    match path.rsplit_once('.')?.1 {
        _ if bytes.starts_with(FATBIN) => Some(ModuleKind::Fatbin),
        _ if is_elf => Some(ModuleKind::Cubin),
        "ptx" => is_module(bytes).then_some(ModuleKind::Ptx),
        "sass" => is_listing().then_some(ModuleKind::Sass),
        _ => None,
    }
}
