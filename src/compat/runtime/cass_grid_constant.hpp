// name: cass_grid_constant
// provides: CASS_GRID_CONSTANT
// replaces:
// summary: A parameter that a kernel reads in place: CUDA's `__grid_constant__`, and nothing for AMD, whose kernels read parameters so anyhow.
// source: CUDA C++ programming guide, __grid_constant__; HIP 6.4's headers have no such word
#define CASS_GRID_CONSTANT
// nvidia:
#define CASS_GRID_CONSTANT __grid_constant__
