//! Offload bundles: the code objects of several chips in one image, as clang puts them into a program or a file, compressed or not.
//! The format is that of clang's documentation, "Clang Offload Bundler".

use std::borrow::Cow;
use std::io::Read as _;

use super::error::{Code, Outcome};
use super::raw;
use super::runtime::{complain, runtime};

const ELF: &[u8] = b"\x7fELF";
const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED: &[u8] = b"CCOB";
/// Method numbers of a compressed bundle.
const ZLIB: u16 = 0;
const ZSTD: u16 = 1;

/// Bytes from an address to the end of its mapping: no image in memory tells its own length in all formats.
fn mapped_from(address: usize) -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut end = address;
    for line in maps.lines() {
        let Some((from, rest)) = line.split_once('-') else {
            continue;
        };
        let Some((to, _)) = rest.split_once(' ') else {
            continue;
        };
        let bounds = (
            usize::from_str_radix(from, 16),
            usize::from_str_radix(to, 16),
        );
        if let (Ok(from), Ok(to)) = bounds
            && (from..to).contains(&end)
        {
            end = to;
        }
    }
    end - address
}

/// The image at an address of the program, up to the end of its mapping at most.
pub fn image_at(address: usize) -> Outcome<&'static [u8]> {
    match mapped_from(address) {
        0..4 => Err(Code::INVALID_IMAGE),
        length => Ok(raw::bytes(address, length)),
    }
}

fn number<const N: usize>(image: &[u8], at: usize) -> Outcome<u64> {
    let bytes = image.get(at..at + N).ok_or(Code::INVALID_IMAGE)?;
    Ok(bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// Where an ELF file of 64 bits ends: linkers write the table of its sections last. Behind it lies other memory of the program.
fn elf_end(image: &[u8]) -> Outcome<usize> {
    let place = |at| number::<8>(image, at).map(|place| place as usize);
    let count = |at| number::<2>(image, at).map(|count| count as usize);
    let (table, size, sections) = (place(0x28)?, count(0x3a)?, count(0x3c)?);
    table
        .checked_add(size * sections)
        .filter(|end| *end >= 64)
        .ok_or(Code::INVALID_IMAGE)
}

/// The code object of the emulated chip in an image: an ELF file, a bundle or a compressed bundle.
pub fn code_for_chip(image: &[u8]) -> Outcome<Cow<'_, [u8]>> {
    if image.starts_with(ELF) {
        let end = elf_end(image).unwrap_or(image.len());
        return Ok(Cow::Borrowed(image.get(..end).unwrap_or(image)));
    }
    if image.starts_with(COMPRESSED) {
        let bundle = decompress(image)?;
        return Ok(Cow::Owned(choose(&bundle)?.to_vec()));
    }
    if image.starts_with(BUNDLE) {
        return Ok(Cow::Borrowed(choose(image)?));
    }
    complain("device code is neither an ELF file nor an offload bundle");
    Err(Code::INVALID_IMAGE)
}

/// Versions 1 to 3 differ in which sizes they have and in how wide those are.
fn decompress(image: &[u8]) -> Outcome<Vec<u8>> {
    let (version, method) = (number::<2>(image, 4)?, number::<2>(image, 6)? as u16);
    let (header, size) = match version {
        1 => (20, number::<4>(image, 8)?),
        2 => (24, number::<4>(image, 12)?),
        3 => (32, number::<8>(image, 16)?),
        other => {
            complain(&format!(
                "a compressed offload bundle of version {other} is not known"
            ));
            return Err(Code::INVALID_IMAGE);
        }
    };
    let data = image.get(header..).ok_or(Code::INVALID_IMAGE)?;
    let mut bundle = Vec::new();
    let read = match method {
        ZLIB => flate2::read::ZlibDecoder::new(data)
            .read_to_end(&mut bundle)
            .map_err(|error| error.to_string()),
        ZSTD => unpack_zstd(data, &mut bundle),
        other => Err(format!("method {other} is not known")),
    };
    match read {
        Ok(_) if bundle.len() as u64 == size => Ok(bundle),
        Ok(length) => broken(&format!("{length} bytes came out, {size} were announced")),
        Err(error) => broken(&error),
    }
}

fn unpack_zstd(data: &[u8], bundle: &mut Vec<u8>) -> Result<usize, String> {
    let mut decoder =
        ruzstd::decoding::StreamingDecoder::new(data).map_err(|error| error.to_string())?;
    decoder
        .read_to_end(bundle)
        .map_err(|error| error.to_string())
}

fn broken<T>(why: &str) -> Outcome<T> {
    complain(&format!(
        "a compressed offload bundle cannot be unpacked: {why}"
    ));
    Err(Code::INVALID_IMAGE)
}

/// The entry of the emulated chip: its own name first, then the generic target of its family.
fn choose(bundle: &[u8]) -> Outcome<&[u8]> {
    let entries = entries(bundle)?;
    let chip = runtime().chip.name;
    let found = entries.iter().find(|(target, _)| runs_on(target, chip));
    let generic = || {
        entries
            .iter()
            .find(|(target, _)| Some(target.as_str()) == generic_of(chip))
    };
    match found.or_else(generic) {
        Some((_, code)) => Ok(code),
        None => {
            let names: Vec<&str> = entries.iter().map(|(target, _)| target.as_str()).collect();
            complain(&format!(
                "the program has no code for {chip}, only for {}; compile with --offload-arch={chip} or choose by HIP_EMULATOR_ARCH",
                names.join(", ")
            ));
            Err(Code::NO_BINARY_FOR_GPU)
        }
    }
}

/// The device entries with code: target (`gfx90a:xnack-`) and bytes.
fn entries(bundle: &[u8]) -> Outcome<Vec<(String, &[u8])>> {
    let count = number::<8>(bundle, BUNDLE.len())?;
    let mut at = BUNDLE.len() + 8;
    let mut entries = Vec::new();
    for _ in 0..count {
        let field = |k: usize| number::<8>(bundle, at + 8 * k).map(|value| value as usize);
        let (offset, size, name_size) = (field(0)?, field(1)?, field(2)?);
        let name = bundle
            .get(at + 24..at + 24 + name_size)
            .ok_or(Code::INVALID_IMAGE)?;
        at += 24 + name_size;
        let name = String::from_utf8_lossy(name);
        let Some((kind, target)) = name.split_once("--") else {
            continue;
        };
        if size > 0 && kind.starts_with("hip") {
            let code = bundle
                .get(offset..offset + size)
                .ok_or(Code::INVALID_IMAGE)?;
            entries.push((target.to_string(), code));
        }
    }
    Ok(entries)
}

/// Does code of a target run on a chip? The emulated chips have ECC on and page migration (xnack) off.
fn runs_on(target: &str, chip: &str) -> bool {
    let mut words = target.split(':');
    words.next() == Some(chip) && words.all(|feature| feature != "xnack+" && feature != "sramecc-")
}

fn generic_of(chip: &str) -> Option<&'static str> {
    match chip {
        "gfx942" => Some("gfx9-4-generic"),
        "gfx1030" => Some("gfx10-3-generic"),
        "gfx1100" => Some("gfx11-generic"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(targets: &[(&str, &[u8])]) -> Vec<u8> {
        let names: Vec<String> = targets
            .iter()
            .map(|(target, _)| format!("hipv4-amdgcn-amd-amdhsa--{target}"))
            .collect();
        let header = 32 + names.iter().map(|name| 24 + name.len()).sum::<usize>();
        let mut bytes = [BUNDLE, &(targets.len() as u64).to_le_bytes()].concat();
        let mut offset = header;
        for (name, (_, code)) in names.iter().zip(targets) {
            for value in [offset, code.len(), name.len()] {
                bytes.extend((value as u64).to_le_bytes());
            }
            bytes.extend(name.as_bytes());
            offset += code.len();
        }
        targets.iter().for_each(|(_, code)| bytes.extend(*code));
        bytes
    }

    #[test]
    fn the_entries_of_a_bundle_are_its_targets() {
        let bytes = bundle(&[("gfx1030", b"one"), ("gfx90a:xnack-", b"two")]);
        let found = entries(&bytes).unwrap();
        assert_eq!(
            found,
            [
                ("gfx1030".to_string(), &b"one"[..]),
                ("gfx90a:xnack-".to_string(), &b"two"[..])
            ]
        );
    }

    #[test]
    fn a_bundle_that_breaks_off_is_an_error() {
        let bytes = bundle(&[("gfx1030", b"one")]);
        for length in 24..bytes.len() {
            assert!(entries(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn features_that_the_chip_has_not_rule_code_out() {
        assert!(runs_on("gfx90a:sramecc+:xnack-", "gfx90a"));
        assert!(!runs_on("gfx90a:xnack+", "gfx90a"));
        assert!(!runs_on("gfx90c", "gfx90a"));
    }

    #[test]
    fn compressed_bundles_of_both_methods_unpack() {
        use std::io::Write as _;
        let plain = bundle(&[("gfx90a", &[7; 100])]);
        let mut packed =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&plain).unwrap();
        let zlib = packed.finish().unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(
            &plain[..],
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        for (method, data) in [(ZLIB, zlib), (ZSTD, zstd)] {
            let mut image = [COMPRESSED, &2_u16.to_le_bytes(), &method.to_le_bytes()].concat();
            image.extend((data.len() as u32 + 24).to_le_bytes());
            image.extend((plain.len() as u32).to_le_bytes());
            image.extend([0; 8]);
            image.extend(data);
            image.extend([0; 9]); // what lies behind it in memory
            assert_eq!(decompress(&image).unwrap(), plain, "method {method}");
        }
    }
}
