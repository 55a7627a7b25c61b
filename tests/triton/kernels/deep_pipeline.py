"""A product of matrices whose buffers for four stages take more LDS than a block has."""
import torch
import triton
import triton.language as tl


@triton.jit
def product_kernel(a, b, out, depth, step_a, step_b, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    along = tl.arange(0, BLOCK_K)
    a_ptrs = a + rows[:, None] * step_a + along[None, :]
    b_ptrs = b + along[:, None] * step_b + columns[None, :]
    sum = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for start in range(0, depth, BLOCK_K):
        sum += tl.dot(tl.load(a_ptrs), tl.load(b_ptrs))
        a_ptrs += BLOCK_K
        b_ptrs += BLOCK_K * step_b
    tl.store(out + rows[:, None] * step_b + columns[None, :], sum)


a, b, out = (torch.empty(4096, 4096) for _ in range(3))
product_kernel[(32, 32)](a, b, out, 4096, 4096, 4096, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, num_warps=8, num_stages=4)
