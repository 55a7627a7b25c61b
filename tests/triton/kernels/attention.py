"""Attention over blocks of keys: two products of matrices in one loop with a factor a block, pipelined over four stages."""
import torch
import triton
import triton.language as tl


@triton.jit
def attend(sum, weight, top, q, k_ptrs, v_ptrs, factor, keys, k_step, v_step, BLOCK_N: tl.constexpr):
    for start in range(0, keys, BLOCK_N):
        k = tl.load(k_ptrs)
        scores = tl.dot(q, k) * tl.load(factor)
        highest = tl.maximum(top, tl.max(scores, 1))
        part = tl.math.exp2(scores - highest[:, None])
        scale = tl.math.exp2(top - highest)
        weight = weight * scale + tl.sum(part, 1)
        sum = sum * scale[:, None]
        v = tl.load(v_ptrs)
        sum += tl.dot(part.to(tl.float16), v)
        top = highest
        k_ptrs += BLOCK_N * k_step
        v_ptrs += BLOCK_N * v_step
        factor += 1
    return sum, weight


@triton.jit
def attention_kernel(queries, keys_of, values, factors, out, keys, step, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, BLOCK_N)
    depth = tl.arange(0, DEPTH)
    q = tl.load(queries + rows[:, None] * step + depth[None, :])
    k_ptrs = keys_of + columns[None, :] * step + depth[:, None]
    v_ptrs = values + columns[:, None] * step + depth[None, :]
    top = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    weight = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    sum = tl.zeros([BLOCK_M, DEPTH], dtype=tl.float32)
    sum, weight = attend(sum, weight, top, q, k_ptrs, v_ptrs, factors, keys, step, step, BLOCK_N)
    tl.store(out + rows[:, None] * step + depth[None, :], (sum / weight[:, None]).to(tl.float16))


q, k, v, out = (torch.empty(1024, 64, dtype="fp16") for _ in range(4))
attention_kernel[(8,)](q, k, v, torch.empty(16), out, 1024, 64, BLOCK_M=128, BLOCK_N=64, DEPTH=64, num_warps=4, num_stages=4)
