"""Functions of whole arrays: of elements, of parts, and by a partial call."""
from functools import partial

import numpy as np
from numba import cuda, guvectorize, vectorize

for_the_gpu = partial(vectorize, target="cuda")


@vectorize(["float32(float32, float32)", "int64(int64, int64)"], target='cuda')
def combined(a, b):
    return 2 * a + b


@for_the_gpu(["float64(float64)"])
def halved(a):
    return a / 2


@guvectorize(["void(int64[:], int64[:])"], "(n)->()", target="cuda")
def total(values, result):
    result[0] = 0
    for value in values:
        result[0] += value


@cuda.jit
def count(out):
    cuda.atomic.add(out, 0, 1)


x = np.arange(12, dtype=np.int64)
print(combined(x, x[::-1].copy()).tolist(), combined(x.astype(np.float32), np.float32(0.5)).tolist())
print(halved(x / 4).tolist(), total(x.reshape(3, 4)).tolist())
out = np.zeros(1, np.int32)
count[2, 8](out)
print(out.tolist())
