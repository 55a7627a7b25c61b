//! Where PyTorch's build for ROCm writes what it rewrites.

/// Whether it puts a file into a folder of another name: one above it is called after CUDA.
pub(crate) fn moves(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.contains("cuda") || folders.contains("CUDA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_called_after_cuda_moves_what_lies_below() {
        assert!(moves("csrc/cuda/a.cu") && moves("CUDA/x/y.h"));
        assert!(!moves("csrc/cuda.cu") && !moves("a.cu"));
    }
}
