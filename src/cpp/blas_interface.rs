//! Functions of cuBLAS whose counterparts in hipBLAS have two interfaces up to ROCm 6.4.

use crate::syntax::Document;

/// Whether a file names one of them: those with types in their arguments, and those of complex numbers.
pub(crate) fn uses_second_interface(doc: &Document<'_>) -> bool {
    doc.has_word(|word| word.strip_prefix(b"cublas").is_some_and(has_two))
}

/// `GemmEx`, `GemmStridedBatchedEx`, `DotEx`; complex functions by their letters: `Cgemm`, `Zdotc`, `Icamax`, `Scnrm2`.
fn has_two(name: &[u8]) -> bool {
    let ex = name.windows(2).any(|pair| pair == b"Ex");
    let letters = [&b"C"[..], b"Z", b"Ic", b"Iz", b"Sc", b"Dz"];
    let complex = letters.iter().any(|letters| {
        name.strip_prefix(*letters)
            .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_lowercase))
    });
    ex || (complex && !name.starts_with(b"Create"))
}
