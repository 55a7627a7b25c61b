// name: cass_integer_min_max
// provides: cass_umin, cass_umax, cass_llmin, cass_llmax, cass_ullmin, cass_ullmax
// replaces: umin, umax, llmin, llmax, ullmin, ullmax
// summary: Smaller and greater of two integers of one named type, which convert their arguments as CUDA's do.
// source: CUDA Math API 13.0, integer functions
__host__ __device__ inline unsigned cass_umin(unsigned a, unsigned b) { return a < b ? a : b; }
__host__ __device__ inline unsigned cass_umax(unsigned a, unsigned b) { return a > b ? a : b; }
__host__ __device__ inline long long cass_llmin(long long a, long long b) { return a < b ? a : b; }
__host__ __device__ inline long long cass_llmax(long long a, long long b) { return a > b ? a : b; }
__host__ __device__ inline unsigned long long cass_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__host__ __device__ inline unsigned long long cass_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
