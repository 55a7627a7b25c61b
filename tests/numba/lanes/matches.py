"""Matches and votes of warps of 32 lanes, and shared memory whose size the launch gives, each against what NumPy makes of the same values."""
import numpy as np
from numba import cuda, float32, int64


@cuda.jit
def matches(x, alike, equal):
    """The lanes of a warp with the same value, and those of all if they have one."""
    i = cuda.grid(1)
    alike[i] = cuda.match_any_sync(0xFFFFFFFF, x[i])
    mask, is_same = cuda.match_all_sync(0xFFFFFFFF, x[i])
    equal[i] = mask if is_same else 0


@cuda.jit
def votes(x, equal):
    i = cuda.grid(1)
    equal[i] = cuda.selp(cuda.eq_sync(0xFFFFFFFF, x[i] > 3), 7, 5)


@cuda.jit
def turned(x, out, sizes):
    """Each block's values from the last to the first; the same memory as floats and as 64-bit numbers."""
    floats = cuda.shared.array(0, dtype=float32)
    numbers = cuda.shared.array(0, int64)
    i, count = cuda.threadIdx.x, cuda.blockDim.x
    floats[i] = x[cuda.grid(1)]
    cuda.syncthreads()
    out[cuda.grid(1)] = floats[count - 1 - i]
    if i == 0:
        sizes[cuda.blockIdx.x, 0], sizes[cuda.blockIdx.x, 1] = floats.size, len(numbers)


def bits(x):
    return x.view(f"i{x.itemsize}").reshape(-1, 32)


def main():
    values = np.arange(128) // 3 % 5
    values[64:96] = 6
    of_floats = np.where(values == 2, np.nan, np.where(values == 1, -0.0, values))
    for x in (values.astype("i4"), values.astype("u4"), values.astype("i8"), of_floats.astype("f4"), of_floats.astype("f8")):
        alike, equal = np.zeros(128, np.uint32), np.zeros(128, np.uint32)
        matches[2, 64](x, alike, equal)
        same = bits(x)[:, :, None] == bits(x)[:, None, :]
        wanted = (same << np.arange(32, dtype=np.uint64)).sum(axis=2).astype(np.uint32).ravel()
        np.testing.assert_array_equal(alike, wanted)
        np.testing.assert_array_equal(equal, np.where(np.repeat(same.all(axis=(1, 2)), 32), 0xFFFFFFFF, 0))
        votes[2, 64](x, equal)
        voted = (x > 3).reshape(-1, 32)
        agrees = voted.all(axis=1) | ~voted.any(axis=1)
        np.testing.assert_array_equal(equal, np.where(np.repeat(agrees, 32), 7, 5))
    # A block that is no whole warp: the lanes that it lacks are in no mask.
    x, alike, equal = np.full(10, 5), np.zeros(10, np.uint32), np.zeros(10, np.uint32)
    matches[1, 10](x, alike, equal)
    assert (alike == 2**10 - 1).all() and (equal == 2**10 - 1).all(), (alike, equal)
    for threads in (32, 64, 128):
        x, sizes = np.arange(256, dtype=np.float32), np.zeros((256 // threads, 2), np.int64)
        out = np.zeros_like(x)
        turned[256 // threads, threads, 0, threads * 4](x, out, sizes)
        np.testing.assert_array_equal(out, x.reshape(-1, threads)[:, ::-1].ravel())
        np.testing.assert_array_equal(sizes, [[threads, threads // 2]] * (256 // threads))
    assert cuda.detect()
    print("ok: matches of warps and memory of the launch's size are NumPy's")


main()
