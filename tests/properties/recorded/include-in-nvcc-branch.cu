#include#include <cuda_runtime.h>

#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress <cfloat>
#include <cuda_runtime.h>
#include <random>
#in#include <random>
#include <string>

float largest() { return FLT_MAX; }
std::vector<std::string> names;
std::mt19937 generator;
