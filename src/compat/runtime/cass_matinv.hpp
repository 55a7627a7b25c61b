// name: cass_matinv
// provides: cass_cublasSmatinvBatched, cass_cublasDmatinvBatched
// replaces: cublasSmatinvBatched, cublasDmatinvBatched
// includes: hip/hip_runtime.h, hipblas/hipblas.h
// summary: Inverts matrices of up to 32 rows, each by a block of its own with partial pivoting, since hipBLAS has no matinvBatched.
// limit: Files that hipcc does not compile as HIP get HIPBLAS_STATUS_NOT_SUPPORTED. The last digits may differ from cuBLAS's.
// source: cuBLAS 12, cublas<t>matinvBatched: the matrices stay, info says the first pivot that is 0, counted from 1
#if defined(__HIP__)
/* A thread for each column of the matrix and of the unit matrix beside it. */
template <typename CassT> __global__ void cass_matinv_kernel(int n, const CassT* const* from, int lda, CassT* const* to, int ldt, int* info)
{
    __shared__ CassT rows[32][65];
    const int column = threadIdx.x;
    const CassT* a = from[blockIdx.x];
    for (int row = 0; row < n && column < 2 * n; ++row)
        rows[row][column] = column < n ? a[row + column * size_t(lda)] : CassT(row == column - n);
    __syncthreads();
    for (int step = 0; step < n; ++step) {
        int pivot = step;
        for (int row = step + 1; row < n; ++row)
            if (fabs(rows[row][step]) > fabs(rows[pivot][step]))
                pivot = row;
        const CassT by = rows[pivot][step];
        if (by == 0) {
            if (column == 0)
                info[blockIdx.x] = step + 1;
            return;
        }
        if (column > step && column < 2 * n) {
            const CassT scaled = rows[pivot][column] / by;
            rows[pivot][column] = rows[step][column];
            rows[step][column] = scaled;
            for (int row = 0; row < n; ++row)
                if (row != step)
                    rows[row][column] -= rows[row == pivot ? step : row][step] * scaled;
        }
        __syncthreads();
    }
    CassT* inverse = to[blockIdx.x];
    for (int row = 0; row < n && column >= n && column < 2 * n; ++row)
        inverse[row + (column - n) * size_t(ldt)] = rows[row][column];
    if (column == 0)
        info[blockIdx.x] = 0;
}
#endif
template <typename CassT> inline hipblasStatus_t cass_matinv(hipblasHandle_t handle, int n, const CassT* const* from, int lda, CassT* const* to, int ldt, int* info, int count)
{
    if (n < 0 || n > 32 || lda < n || ldt < n || count < 0)
        return HIPBLAS_STATUS_INVALID_VALUE;
    if (n == 0 || count == 0)
        return HIPBLAS_STATUS_SUCCESS;
#if defined(__HIP__)
    hipStream_t stream = nullptr;
    const hipblasStatus_t status = hipblasGetStream(handle, &stream);
    if (status != HIPBLAS_STATUS_SUCCESS)
        return status;
    cass_matinv_kernel<CassT><<<count, 64, 0, stream>>>(n, from, lda, to, ldt, info);
    return hipGetLastError() == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
#else
    (void)handle, (void)from, (void)to, (void)info;
    return HIPBLAS_STATUS_NOT_SUPPORTED;
#endif
}
inline hipblasStatus_t cass_cublasSmatinvBatched(hipblasHandle_t handle, int n, const float* const a[], int lda, float* const inverse[], int ldt, int* info, int count)
{
    return cass_matinv(handle, n, a, lda, inverse, ldt, info, count);
}
inline hipblasStatus_t cass_cublasDmatinvBatched(hipblasHandle_t handle, int n, const double* const a[], int lda, double* const inverse[], int ldt, int* info, int count)
{
    return cass_matinv(handle, n, a, lda, inverse, ldt, info, count);
}
