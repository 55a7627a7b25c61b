# Reductions for numba.hip, which has none; used as numba.cuda.Reduce.
from numba import hip as _cass_hip, from_dtype as _cass_from_dtype


class CassReduce:
    """`sum = CassReduce(lambda a, b: a + b); sum(array, init=0)`. The order of the elements is kept."""

    _THREADS = 256

    def __init__(self, functor):
        self._join = _cass_hip.jit(functor, device=True)
        self._kernels = {}

    def _kernel(self, dtype):
        threads, join, kind = self._THREADS, self._join, _cass_from_dtype(dtype)

        @_cass_hip.jit
        def fold(values, count, init, takes_init, result):
            """Each block folds a part of the array, each thread a part of that."""
            parts = _cass_hip.shared.array(threads, kind)
            block, blocks, thread = _cass_hip.blockIdx.x, _cass_hip.gridDim.x, _cass_hip.threadIdx.x
            begin = count * block // blocks
            length = count * (block + 1) // blocks - begin
            first, last = length * thread // threads, length * (thread + 1) // threads
            if first < last:
                value = values[begin + first]
                for place in range(first + 1, last):
                    value = join(value, values[begin + place])
                parts[thread] = value
            _cass_hip.syncthreads()
            if thread == 0:
                value, is_begun = init, takes_init
                for other in range(threads):
                    if length * other // threads < length * (other + 1) // threads:
                        value = join(value, parts[other]) if is_begun else parts[other]
                        is_begun = True
                result[block] = value

        return fold

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        arr = arr if size is None else arr[:size]
        init = arr.dtype.type(init)
        if arr.size < 1:
            return init
        if arr.dtype not in self._kernels:
            self._kernels[arr.dtype] = self._kernel(arr.dtype)
        fold, blocks = self._kernels[arr.dtype], min(256, (arr.size + 4095) // 4096)
        parts = _cass_hip.device_array(blocks, dtype=arr.dtype, stream=stream)
        result = _cass_hip.device_array(1, dtype=arr.dtype, stream=stream) if res is None else res
        fold[blocks, self._THREADS, stream](arr, arr.size, init, False, parts)
        fold[1, self._THREADS, stream](parts, blocks, init, True, result)
        return result.copy_to_host(stream=stream)[0] if res is None else None
