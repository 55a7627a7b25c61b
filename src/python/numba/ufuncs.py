# Functions of whole arrays for numba.hip, which has their builders and registers no target for them.
from functools import partial as _cass_partial
from numba import guvectorize as _cass_guvectorize, vectorize as _cass_vectorize
from numba.hip import vectorizers as _cass_vectorizers
from numba.np.ufunc import decorators as _cass_decorators

# Another file of the program may have registered them.
if "hip" not in _cass_decorators.Vectorize.target_registry:
    _cass_decorators.Vectorize.target_registry["hip"] = _cass_vectorizers.CUDAVectorize
    _cass_decorators.GUVectorize.target_registry["hip"] = _cass_vectorizers.CUDAGUFuncVectorize
# As those of numba-cuda, whose target is the GPU.
cass_vectorize = _cass_partial(_cass_vectorize, target="hip")
cass_guvectorize = _cass_partial(_cass_guvectorize, target="hip")
