#include <cublas_v2.h>
#include <cusolverDn.h>

#ifdef SINGLE
#define BLAS(name) cublasS##name
#define INDEX_OF(name) cublasIs##name
#else
#define BLAS(name) cublasD cublasD##name
#define INDEX_OF(name) cublasId##name
#endif
double norm(cublasHandle_t handle, int n, const double *x) {
    double result;
    BLAS(nrm2)(handle, n, x, 1, &result);
    return result;
}
