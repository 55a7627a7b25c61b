"""What to write for functions of libdevice that AMD's lacks, as mappings/triton.toml says it."""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def float_kernel(p, q, N: tl.constexpr):
    at = tl.arange(0, N)
    x, y, z = tl.load(p + at), tl.load(q + at), tl.load(p + N + at)
    n = x.to(tl.int32, bitcast=True)
    r = libdevice.nearbyint(x) + libdevice.ldexp(x, n) + libdevice.fma(x, y, z)
    r += tl.where(tl.abs(x) < float("inf"), x, y)
    r += (libdevice.nearbyint(x).to(tl.int32) + libdevice.floor(x).to(tl.int32) + libdevice.ceil(x).to(tl.int32)).to(tl.float32)
    r += (x.to(tl.float64).to(tl.int64, bitcast=True) >> 32).to(tl.float32)
    r += tl.div_rn(x, y) + tl.div_rn(1.0, x) + tl.sqrt_rn(x) + tl.div_rn(1.0, tl.sqrt_rn(x))
    r += libdevice.cos(x) + libdevice.sin(x) + libdevice.tan(x) + libdevice.log(x) + libdevice.log2(x) + libdevice.log10(x)
    r += libdevice.pow(x, y) + tl.exp2(x * 3.321928094887362)
    r += libdevice.copysign(libdevice.pow(tl.abs(x), 1.0 / 3.0), x) + libdevice.copysign(libdevice.pow(tl.abs(x), -1.0 / 3.0), x)
    r += libdevice.sin(x * 3.141592653589793) + libdevice.cos(x * 3.141592653589793)
    r += tl.sqrt(x * x + y * y + z * z) + libdevice.rsqrt(x * x + y * y)
    r += tl.clamp(x, 0.0, 1.0) + tl.maximum(x - y, 0.0) + (x - y * libdevice.nearbyint(x / y))
    r += libdevice.ilogb(x).to(tl.float32) + libdevice.round(x).to(tl.int64).to(tl.float32)
    r += 0.5 * libdevice.erfc(x * -0.7071067811865476) + 1.4142135623730951 * libdevice.erfinv(2.0 * x - 1.0)
    r += libdevice.erfinv(1.0 - x) + tl.exp(libdevice.lgamma(x)) + 2 * n / x * libdevice.j1(x) - libdevice.j0(x)
    tl.store(q + at, r + libdevice.y1(x) - libdevice.y0(x))


@triton.jit
def bit_kernel(p, q, N: tl.constexpr):
    at = tl.arange(0, N)
    x, y, z = tl.load(p + at), tl.load(q + at), tl.load(p + N + at)
    u = x.to(tl.uint32)
    u -= (u >> 1) & 0x55555555
    u = (u & 0x33333333) + ((u >> 2) & 0x33333333)
    r = ((((u + (u >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24).to(tl.int32)
    r += 1054 - (x.to(tl.uint32, bitcast=True).to(tl.float64).to(tl.int64, bitcast=True) >> 52).to(tl.int32)
    r += ((x & -x).to(tl.uint32, bitcast=True).to(tl.float64).to(tl.int64, bitcast=True) >> 52).to(tl.int32) - 1022
    r += tl.umulhi(u, y.to(tl.uint32)).to(tl.int32) + ((x.to(tl.int64) * y.to(tl.int64)) >> 32).to(tl.int32)
    r += ((x << 8) >> 8) * ((y << 8) >> 8)
    r += tl.abs(x - y) + z + (x & y) + ((x ^ y) >> 1) + (x | y) - ((x ^ y) >> 1)
    tl.store(q + at, r)


a, b = torch.empty(64), torch.empty(64)
float_kernel[(1,)](a, b, N=32)
c, d = torch.empty(64, dtype="int32"), torch.empty(64, dtype="int32")
bit_kernel[(1,)](c, d, N=32)


@triton.jit
def plain_kernel(p, q, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(q + at, tl.load(p + at) * tl.load(q + at))


plain_kernel[(1,)](a, b, N=32, enable_fp_fusion=False)
