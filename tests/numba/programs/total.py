"""Reductions of arrays of many sizes, in their order."""
import numpy as np
from numba import cuda

total = cuda.reduce(lambda a, b: a + b)


@cuda.Reduce
def largest(a, b):
    return a if a > b else b


for size in (0, 1, 2, 255, 257):
    x = (np.arange(size) * 31 % 17).astype(np.int64)
    print(size, total(x), total(x, init=5), largest(x, init=-1))
result = cuda.device_array(1, dtype=np.float64)
print(total(np.full(300, 0.5), res=result), result.copy_to_host().tolist())
