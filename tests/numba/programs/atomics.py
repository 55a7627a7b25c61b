"""Every atomic of numba.cuda, on arrays of one and two dimensions."""
import numpy as np
from numba import cuda


@cuda.jit
def count(x, bins, totals, best):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, (x[i] % 4, 1), 1)
        cuda.atomic.sub(bins, (x[i] % 4, 0), 2)
        cuda.atomic.add(totals, 0, x[i] * 0.5)
        cuda.atomic.max(best, 0, x[i])
        cuda.atomic.min(best, 1, x[i])
        cuda.atomic.nanmax(totals, 1, float(x[i]))
        cuda.atomic.nanmin(totals, 2, float(x[i]))


@cuda.jit
def bits(x, words, old):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.or_(words, 0, 1 << x[i] % 16)
        cuda.atomic.and_(words, 1, 0xFFF0 | x[i])
        cuda.atomic.xor(words, 2, x[i])
        cuda.atomic.inc(words, 3, 10)
        cuda.atomic.dec(words, 4, 10)
    if i == 0:
        old[0] = cuda.atomic.exch(words, 5, 77)
        old[1] = cuda.atomic.cas(words, 6, 5, 6)
        old[2] = cuda.atomic.compare_and_swap(old[3:], 3, 4)


x = (np.arange(100) * 37 % 101).astype(np.int32)
bins, totals, best = np.zeros((4, 2), np.int32), np.array([0, np.nan, np.nan]), np.array([-1, 1 << 20], np.int32)
count[4, 32](x, bins, totals, best)
print(bins.tolist(), totals.tolist(), best.tolist())
words, old = np.array([0, 0xFFFF, 0, 3, 3, 1, 5], np.uint32), np.array([0, 0, 0, 3], np.uint32)
bits[4, 32](x, words, old)
print(words.tolist(), old.tolist())
