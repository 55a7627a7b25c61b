import os
import subprocess

import torch
from packaging.version import Version, parse
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

here = os.path.dirname(os.path.abspath(__file__))


def nvcc_version(folder):
    output = subprocess.check_output([folder + "/bin/nvcc", "-V"], universal_newlines=True).split()
    return parse(output[output.index("release") + 1].split(",")[0])


if not torch.cuda.is_available() or CUDA_HOME is None:
    raise RuntimeError("a GPU and its toolkit are needed")

nvcc_flags = [
    "-O3",
    "-std=c++17",
    "-DWITH_CUDA",
    "--use_fast_math",
    "--expt-relaxed-constexpr",
    "-Xcompiler",
    "-Wall",
    "-lineinfo",
]
if nvcc_version(CUDA_HOME) >= Version("11.2"):
    nvcc_flags += ["--threads", "4"]
nvcc_flags.append("-gencode")
nvcc_flags.append("arch=compute_80,code=sm_80")

setup(
    name="lanes",
    ext_modules=[
        CUDAExtension(
            name="lanes",
            sources=["csrc/ops.cpp", "csrc/cuda/lanes.cu"],
            include_dirs=[os.path.join(here, "csrc")],
            extra_compile_args={"cxx": ["-O3", "-DWITH_CUDA"], "nvcc": nvcc_flags},
            libraries=["cublas"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
