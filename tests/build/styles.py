"""Small projects, one for each way in which people build CUDA programs: what is compiled is the same few sources.

`STYLES` maps a name to the files of the project. `cmake_styles`, `make_styles` and `script_styles` fill it when they are imported.
"""
import textwrap

# A program of one file and a header.
KERNEL = '''#include <cstdio>
#include <cuda_runtime.h>
#include "k.cuh"
int main() {
    float *d; cudaMalloc(&d, 4); scale<<<1, 1>>>(d, 2.0f);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
'''
HEADER = '''#pragma once
static __global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }
'''
# A library of kernels, and programs that use it: with and without calls of the runtime of their own.
LIBRARY = '''#include <cuda_runtime.h>
#include "lib.h"
__global__ void fill(float *p, float v) { p[threadIdx.x] = v; }
void launch_fill(float *p, float v) { fill<<<1, 32>>>(p, v); }
'''
LIBRARY_H = 'void launch_fill(float *p, float v);\n'
HOST = '''#include "lib.h"
#include <cuda_runtime.h>
int main() { float *p; cudaMalloc((void **)&p, 128); launch_fill(p, 1.f); return cudaDeviceSynchronize(); }
'''
PLAIN = '#include "lib.h"\nint main() { launch_fill(nullptr, 1.f); }\n'
# A program that links cuBLAS, cuRAND and cuFFT.
LIBRARIES = '''#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <curand.h>
#include <cufft.h>
__global__ void k(float *x) { x[0] = 1; }
int main() { cublasHandle_t h; cublasCreate(&h); curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
 cufftHandle p; cufftPlan1d(&p, 8, CUFFT_C2C, 1); float *d; cudaMalloc(&d, 4); k<<<1,1>>>(d); return cublasDestroy(h); }
'''
# What Thrust does, which on AMD takes no standard older than C++14.
SORTING = '''#include <thrust/device_vector.h>
#include <thrust/sort.h>
int main() { thrust::device_vector<int> v(8); thrust::sort(v.begin(), v.end()); return v[0]; }
'''
# Device code of two units that have to be linked with each other.
CALLER = '''#include <cuda_runtime.h>
extern __device__ float twice(float);
__global__ void k(float *x) { x[0] = twice(x[0]); }
int main() { float *d; cudaMalloc(&d, 4); k<<<1,1>>>(d); return cudaDeviceSynchronize(); }
'''
CALLED = '__device__ float twice(float x) { return 2 * x; }\n'

STYLES: dict[str, dict[str, str]] = {}

one = {"main.cu": KERNEL, "k.cuh": HEADER}
library = {"lib.cu": LIBRARY, "lib.h": LIBRARY_H, "main.cpp": PLAIN}
host = {"lib.cu": LIBRARY, "lib.h": LIBRARY_H, "main.cpp": HOST}


def style(name: str, build_file: str, text: str, files: dict[str, str]) -> None:
    """Adds a project: its build file, indented as it stands here, and its sources."""
    assert name not in STYLES, name
    STYLES[name] = {build_file: textwrap.dedent(text).lstrip("\n"), **files}
