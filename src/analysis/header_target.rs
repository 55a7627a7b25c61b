//! The header that stands for one of CUDA's under the choices of a person.

use crate::mapping::{ApiEntry, LibraryVendor};
use crate::options::Options;

/// The path of the header on AMD: that of the family which was chosen for its library; empty where none is needed, `None` where there
/// is none.
pub(crate) fn header_target(options: &Options, entry: &ApiEntry) -> Option<&'static str> {
    let roc = entry
        .roc
        .as_ref()
        .filter(|_| chooses_roc(options, entry.cuda));
    roc.map(|roc| roc.name).or(entry.hip)
}

/// Headers stand in a table of their own; their path says which library's choice holds.
fn chooses_roc(options: &Options, path: &str) -> bool {
    let choices = &options.choices;
    let library = [
        ("cublas", choices.blas),
        ("cufft", choices.fft),
        ("curand", choices.rand),
        ("cusparse", choices.sparse),
        ("cusolver", choices.solver),
    ];
    library
        .iter()
        .any(|(stem, vendor)| path.contains(stem) && *vendor == LibraryVendor::Roc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::probe::of_tree;
    use crate::options::Options;

    #[test]
    fn a_header_follows_the_family_that_was_chosen() {
        let mut roc = Options::default();
        roc.choices.blas = LibraryVendor::Roc;
        for (header, options, expected) in [
            ("cublas_v2.h", Options::default(), Some("hipblas/hipblas.h")),
            ("cublas_v2.h", roc.clone(), Some("rocblas/rocblas.h")),
            ("cufft.h", roc, Some("hipfft/hipfft.h")),
            ("nvml.h", Options::default(), None),
        ] {
            let found = of_tree(&[("a.cu", "")], options, |cx| {
                let hit = cx.table().header(header.as_bytes());
                header_target(cx.options(), hit.expect("it is in the table").entry)
            });
            assert_eq!(found, expected, "{header}");
        }
    }
}
