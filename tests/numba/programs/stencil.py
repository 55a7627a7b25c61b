"""What both packages have: shared and constant memory, device functions, streams, and shared memory of a size that the launch gives."""
import math
import numba
import numpy as np
from numba import cuda, float32

WEIGHTS = np.array([0.25, 0.5, 0.25], np.float32)


@cuda.jit(device=True)
def clamped(i, size):
    return min(max(i, 0), size - 1)


@cuda.jit
def smooth(x, y):
    tile = cuda.shared.array(34, float32)
    weights = cuda.const.array_like(WEIGHTS)
    i, lane = cuda.grid(1), cuda.threadIdx.x
    tile[lane + 1] = x[clamped(i, x.size)]
    if lane == 0:
        tile[0] = x[clamped(i - 1, x.size)]
        tile[33] = x[clamped(i + 32, x.size)]
    cuda.syncthreads()
    if i < x.size:
        y[i] = weights[0] * tile[lane] + weights[1] * tile[lane + 1] + weights[2] * tile[lane + 2]


@cuda.jit
def turned(x):
    block = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    block[i] = x[i]
    cuda.syncthreads()
    x[i] = block[cuda.blockDim.x - 1 - i] + math.sqrt(x[i])


x = (np.arange(70) % 13).astype(np.float32)
stream = cuda.stream()
given, made = cuda.to_device(x, stream=stream), cuda.device_array_like(x)
smooth[3, 32, stream](given, made)
stream.synchronize()
print(made.copy_to_host().tolist(), numba.cuda.is_available())
turned[1, 16, 0, 16 * 4](given)
print(given.copy_to_host().tolist())
