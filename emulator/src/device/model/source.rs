//! Source lines of instructions, from DWARF.

use std::borrow::Cow;

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection};

/// `file:line` of an address of an ELF image; nothing without line tables.
pub(crate) fn line(elf: &[u8], address: u64) -> Option<String> {
    let file = object::File::parse(elf).ok()?;
    let load = |id: SectionId| -> Result<Cow<'_, [u8]>, addr2line::gimli::Error> {
        let section = file.section_by_name(id.name());
        Ok(section
            .and_then(|s| s.uncompressed_data().ok())
            .unwrap_or(Cow::Borrowed(&[])))
    };
    let sections = addr2line::gimli::DwarfSections::load(load).ok()?;
    let dwarf: Dwarf<EndianSlice<'_, LittleEndian>> =
        sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let context = addr2line::Context::from_dwarf(dwarf).ok()?;
    let place = context.find_location(address).ok()??;
    Some(match place.line {
        Some(line) => format!("{}:{line}", place.file?),
        None => place.file?.to_string(),
    })
}
