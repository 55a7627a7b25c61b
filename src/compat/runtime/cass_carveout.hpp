// name: cass_carveout
// provides: cass_cudaSharedmemCarveoutDefault, cass_cudaSharedmemCarveoutMaxL1, cass_cudaSharedmemCarveoutMaxShared
// replaces: cudaSharedmemCarveoutDefault, cudaSharedmemCarveoutMaxL1, cudaSharedmemCarveoutMaxShared
// summary: Carve-outs of shared memory by the numbers that the attribute of a function takes; LDS and L1 are separate on AMD, so that none has an effect.
// source: driver_types.h of CUDA 13.0, cudaSharedCarveout
#define cass_cudaSharedmemCarveoutDefault (-1)
#define cass_cudaSharedmemCarveoutMaxL1 0
#define cass_cudaSharedmemCarveoutMaxShared 100
