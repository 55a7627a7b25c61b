"""Programs for warps of 32 lanes, each against what NumPy makes of the same values: the simulator has no warps."""
import numpy as np
from numba import cuda, int32


@cuda.jit
def sums(x, out):
    """Sums of 32 values by shuffles, and of a block by one sum a warp."""
    parts = cuda.shared.array(32, dtype=int32)
    i = cuda.grid(1)
    value = x[i] if i < x.size else 0
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    if cuda.laneid == 0:
        parts[cuda.threadIdx.x // 32] = value
    cuda.syncthreads()
    if cuda.threadIdx.x < 32:
        value = parts[cuda.threadIdx.x] if cuda.threadIdx.x < cuda.blockDim.x // 32 else 0
        for step in (16, 8, 4, 2, 1):
            value += cuda.shfl_xor_sync(0xFFFFFFFF, value, step)
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = value


@cuda.jit
def votes(x, counts, ranks, flags):
    """How many lanes of a warp are odd, the rank of each among them, and whether all or any are."""
    i = cuda.grid(1)
    is_odd = x[i] % 2 == 1
    ballot = cuda.ballot_sync(0xFFFFFFFF, is_odd)
    counts[i] = cuda.popc(ballot)
    ranks[i] = cuda.popc(ballot & ((1 << cuda.laneid) - 1))
    flags[i] = (2 if cuda.all_sync(0xFFFFFFFF, is_odd) else 0) + (1 if cuda.any_sync(0xFFFFFFFF, is_odd) else 0)


@cuda.jit
def neighbours(x, out):
    """The values of the lane before and of lane 5 of the warp."""
    i = cuda.grid(1)
    before = cuda.shfl_up_sync(0xFFFFFFFF, x[i], 1)
    out[i] = before * 1000 + cuda.shfl_sync(0xFFFFFFFF, x[i], 5) + cuda.warpsize


@cuda.jit
def folds(x, out):
    """Sums of 32 values in shared memory, which only the lanes of a warp wait for."""
    parts = cuda.shared.array(128, dtype=int32)
    i, lane = cuda.threadIdx.x, cuda.laneid
    parts[i] = x[cuda.grid(1)]
    for step in (16, 8, 4, 2, 1):
        cuda.syncwarp()
        value = parts[i + step] if lane < step else 0
        cuda.syncwarp(0xFFFFFFFF)
        parts[i] += value
    if lane == 0:
        out[cuda.grid(1) // 32] = parts[i]


def main():
    x = (np.arange(512, dtype=np.int32) * 7919) % 101
    x[64:96], x[96:128] = 3, 4
    out = np.zeros(2, np.int32)
    sums[2, 256](x, out)
    assert out.tolist() == x.reshape(2, 256).sum(axis=1).tolist(), out
    counts, ranks, flags = (np.zeros(512, np.int32) for _ in range(3))
    votes[2, 256](x, counts, ranks, flags)
    odd = x.reshape(16, 32) % 2
    assert (counts.reshape(16, 32) == odd.sum(axis=1, keepdims=True)).all(), counts
    assert (ranks.reshape(16, 32) == odd.cumsum(axis=1) - odd).all(), ranks
    assert (flags.reshape(16, 32) == 2 * odd.all(axis=1, keepdims=True) + odd.any(axis=1, keepdims=True)).all(), flags
    neighbours[4, 128](x, counts)
    warps = x.reshape(16, 32)
    before = np.concatenate([warps[:, :1], warps[:, :-1]], axis=1)
    assert (counts.reshape(16, 32) == before * 1000 + warps[:, 5:6] + 32).all(), counts
    folds[4, 128](x, out16 := np.zeros(16, np.int32))
    assert out16.tolist() == warps.sum(axis=1).tolist(), out16
    print("ok: sums, votes and neighbours of warps are NumPy's")


main()
