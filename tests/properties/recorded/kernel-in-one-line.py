import cupy

code = """extern "C" __global__ void k(int *x) { __syncwarp(); x[0] = 1; }"""
kernel = cupy.RawKernel(code, "k")
