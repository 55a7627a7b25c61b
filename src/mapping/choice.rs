use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of AMD's two families a library comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Vendor {
    /// The portable wrapper: hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER.
    #[default]
    Hip,
    /// AMD's own library: rocBLAS, rocFFT, rocRAND, rocSPARSE, rocSOLVER.
    Roc,
}

/// The choice for each library that exists twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// cuBLAS becomes hipBLAS or rocBLAS.
    pub blas: Vendor,
    /// cuFFT becomes hipFFT or rocFFT.
    pub fft: Vendor,
    /// cuRAND becomes hipRAND or rocRAND.
    pub rand: Vendor,
    /// cuSPARSE becomes hipSPARSE or rocSPARSE.
    pub sparse: Vendor,
    /// cuSOLVER becomes hipSOLVER or rocSOLVER.
    pub solver: Vendor,
}

impl Choices {
    /// The family chosen for a table.
    pub fn of(&self, library: &str) -> Vendor {
        match library {
            "blas" => self.blas,
            "fft" => self.fft,
            "rand" => self.rand,
            "sparse" => self.sparse,
            "solver" => self.solver,
            _ => Vendor::Hip,
        }
    }
}
