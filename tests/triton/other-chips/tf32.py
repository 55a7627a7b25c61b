"""A product of numbers rounded to TF32, which MI300 has alone among AMD GPUs."""
import torch
import triton
import triton.language as tl


@triton.jit
def product_kernel(a, b, c, N: tl.constexpr):
    rows, columns = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    product = tl.dot(tl.load(a + rows * N + columns), tl.load(b + rows * N + columns), input_precision="tf32")
    tl.store(c + rows * N + columns, product)


product_kernel[(1,)](torch.empty(32, 32), torch.empty(32, 32), torch.empty(32, 32), N=32)
