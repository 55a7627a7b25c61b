"""A scaling with clusters of two blocks and a deep pipeline."""
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(x + at, value * factor, mask=at < n)


x = torch.empty(4096)
scale_kernel[(4,)](x, 4096, 2.0, BLOCK=1024, num_warps=4, num_ctas=2, num_stages=4)
