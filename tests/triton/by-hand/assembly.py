"""Rounds to TF32 where PTX does it."""
import torch
import triton
import triton.language as tl


@triton.jit
def round_kernel(x, BLOCK: tl.constexpr, IS_HIP: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)
    if not IS_HIP:
        value = tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [value], tl.float32, is_pure=True, pack=1)
    tl.store(x + at, value)


round_kernel[(1,)](torch.empty(256), BLOCK=256, IS_HIP=torch.version.hip is not None)
