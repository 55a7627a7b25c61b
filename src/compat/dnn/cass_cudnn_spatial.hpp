// name: cass_cudnn_spatial
// provides: cass_cudnnSamplerType_t, cass_CUDNN_SAMPLER_BILINEAR, cass_cudnnSpatialTransformerDescriptor_t, cass_cudnnCreateSpatialTransformerDescriptor, cass_cudnnDestroySpatialTransformerDescriptor, cass_cudnnSetSpatialTransformerNdDescriptor, cass_cudnnSpatialTfGridGeneratorForward, cass_cudnnSpatialTfGridGeneratorBackward, cass_cudnnSpatialTfSamplerForward, cass_cudnnSpatialTfSamplerBackward
// replaces: cudnnSamplerType_t, CUDNN_SAMPLER_BILINEAR, cudnnSpatialTransformerDescriptor_t, cudnnCreateSpatialTransformerDescriptor, cudnnDestroySpatialTransformerDescriptor, cudnnSetSpatialTransformerNdDescriptor, cudnnSpatialTfGridGeneratorForward, cudnnSpatialTfGridGeneratorBackward, cudnnSpatialTfSamplerForward, cudnnSpatialTfSamplerBackward
// requires: cass_dnn_scaling
// includes: miopen/miopen.h, stdlib.h
// summary: Spatial transformers by kernels of their own, since MIOpen has none: grids of affine transformations and bilinear samples of images of float or double, with their gradients.
// limit: Files that hipcc does not compile as HIP get miopenStatusNotImplemented, as do halves, volumes, and gradients of double that are added to what is there. Gradients of images are added by atomics, in any order.
// source: M. Jaderberg and others, "Spatial Transformer Networks" (2015), equations 1 to 7; cuDNN developer guide, cudnnSpatialTfSamplerForward: corners of the grid are corners of the image, what lies outside is 0
typedef enum { cass_CUDNN_SAMPLER_BILINEAR = 0 } cass_cudnnSamplerType_t;
typedef struct cass_spatial {
    miopenDataType_t type;
    int size, dims[4];
} cass_spatial;
typedef cass_spatial* cass_cudnnSpatialTransformerDescriptor_t;
CASS_DNN_INLINE miopenStatus_t cass_cudnnCreateSpatialTransformerDescriptor(cass_cudnnSpatialTransformerDescriptor_t* made)
{
    *made = (cass_spatial*)calloc(1, sizeof(**made));
    return *made ? miopenStatusSuccess : miopenStatusAllocFailed;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnDestroySpatialTransformerDescriptor(cass_cudnnSpatialTransformerDescriptor_t gone)
{
    free(gone);
    return miopenStatusSuccess;
}
CASS_DNN_INLINE miopenStatus_t cass_cudnnSetSpatialTransformerNdDescriptor(cass_cudnnSpatialTransformerDescriptor_t st, cass_cudnnSamplerType_t sampler, miopenDataType_t type, int size, const int* dims)
{
    int at;
    if (!st || sampler != cass_CUDNN_SAMPLER_BILINEAR)
        return miopenStatusBadParm;
    if (size != 4 || (type != miopenFloat && type != miopenDouble))
        return miopenStatusNotImplemented;
    st->type = type;
    st->size = size;
    for (at = 0; at < size; ++at)
        st->dims[at] = dims[at];
    return miopenStatusSuccess;
}
#if defined(__cplusplus) && defined(__HIP__)
/* A coordinate of the grid: from -1 to 1 over the image. */
template <typename CassT> static __device__ inline CassT cass_spatial_place(int at, int count)
{
    return count > 1 ? CassT(2) * at / (count - 1) - CassT(1) : CassT(-1);
}
template <typename CassT> static __global__ void cass_spatial_grid(const CassT* theta, CassT* grid, int n, int h, int w)
{
    for (size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x; at < size_t(n) * h * w; at += size_t(gridDim.x) * blockDim.x) {
        const CassT x = cass_spatial_place<CassT>(int(at % w), w), y = cass_spatial_place<CassT>(int(at / w % h), h);
        const CassT* of = theta + at / w / h * 6;
        grid[2 * at] = of[0] * x + of[1] * y + of[2];
        grid[2 * at + 1] = of[3] * x + of[4] * y + of[5];
    }
}
/* A thread for each element of the matrices. */
template <typename CassT> static __global__ void cass_spatial_grid_back(const CassT* dgrid, CassT* dtheta, int n, int h, int w)
{
    const size_t which = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (which >= size_t(n) * 6)
        return;
    const int row = int(which / 3 % 2), column = int(which % 3);
    CassT sum = 0;
    for (int at = 0; at < h * w; ++at) {
        const CassT by = column == 0 ? cass_spatial_place<CassT>(at % w, w) : column == 1 ? cass_spatial_place<CassT>(at / w, h) : CassT(1);
        sum += dgrid[2 * (which / 6 * h * w + at) + row] * by;
    }
    dtheta[which] = sum;
}
struct cass_spatial_image {
    int dims[4], strides[4];
    __device__ bool holds(int y, int x) const { return y >= 0 && y < dims[2] && x >= 0 && x < dims[3]; }
    __device__ size_t at(int n, int c, int y, int x) const { return size_t(n) * strides[0] + size_t(c) * strides[1] + size_t(y) * strides[2] + size_t(x) * strides[3]; }
};
template <typename CassT> static __global__ void cass_spatial_sample(cass_spatial_image in, const CassT* x, const CassT* grid, cass_spatial_image out, CassT* y, CassT alpha, CassT beta)
{
    const size_t all = size_t(out.dims[0]) * out.dims[2] * out.dims[3];
    for (size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x; at < all; at += size_t(gridDim.x) * blockDim.x) {
        const int column = int(at % out.dims[3]), row = int(at / out.dims[3] % out.dims[2]), n = int(at / out.dims[3] / out.dims[2]);
        const CassT px = (grid[2 * at] + 1) * (in.dims[3] - 1) / 2, py = (grid[2 * at + 1] + 1) * (in.dims[2] - 1) / 2;
        const int left = int(floor(px)), top = int(floor(py));
        for (int c = 0; c < out.dims[1]; ++c) {
            CassT sum = 0;
            for (int corner = 0; corner < 4; ++corner) {
                const int r = top + corner / 2, k = left + corner % 2;
                const CassT weight = (corner / 2 ? py - top : 1 - (py - top)) * (corner % 2 ? px - left : 1 - (px - left));
                if (in.holds(r, k))
                    sum += weight * x[in.at(n, c, r, k)];
            }
            CassT* to = y + out.at(n, c, row, column);
            *to = beta == 0 ? alpha * sum : alpha * sum + beta * *to;
        }
    }
}
template <typename CassT> static __global__ void cass_spatial_sample_back(cass_spatial_image in, const CassT* x, CassT* dx, CassT alpha, cass_spatial_image out, const CassT* dy, const CassT* grid, CassT* dgrid, CassT of_grid, CassT before)
{
    const size_t all = size_t(out.dims[0]) * out.dims[2] * out.dims[3];
    for (size_t at = blockIdx.x * size_t(blockDim.x) + threadIdx.x; at < all; at += size_t(gridDim.x) * blockDim.x) {
        const int column = int(at % out.dims[3]), row = int(at / out.dims[3] % out.dims[2]), n = int(at / out.dims[3] / out.dims[2]);
        const CassT px = (grid[2 * at] + 1) * (in.dims[3] - 1) / 2, py = (grid[2 * at + 1] + 1) * (in.dims[2] - 1) / 2;
        const int left = int(floor(px)), top = int(floor(py));
        CassT of_x = 0, of_y = 0;
        for (int c = 0; c < out.dims[1]; ++c)
            for (int corner = 0; corner < 4; ++corner) {
                const int r = top + corner / 2, k = left + corner % 2;
                if (!in.holds(r, k))
                    continue;
                const CassT down = corner / 2 ? py - top : 1 - (py - top), right = corner % 2 ? px - left : 1 - (px - left);
                const CassT slope = dy[out.at(n, c, row, column)], value = x[in.at(n, c, r, k)];
                atomicAdd(dx + in.at(n, c, r, k), alpha * slope * down * right);
                of_x += slope * value * down * (corner % 2 ? 1 : -1);
                of_y += slope * value * right * (corner / 2 ? 1 : -1);
            }
        const CassT x_slope = of_grid * of_x * (in.dims[3] - 1) / 2, y_slope = of_grid * of_y * (in.dims[2] - 1) / 2;
        dgrid[2 * at] = before == 0 ? x_slope : x_slope + before * dgrid[2 * at];
        dgrid[2 * at + 1] = before == 0 ? y_slope : y_slope + before * dgrid[2 * at + 1];
    }
}
static inline unsigned cass_spatial_blocks(size_t threads)
{
    const size_t blocks = (threads + 255) / 256;
    return unsigned(blocks < 65535 ? blocks ? blocks : 1 : 65535);
}
static inline miopenStatus_t cass_spatial_done()
{
    return hipGetLastError() == hipSuccess ? miopenStatusSuccess : miopenStatusInternalError;
}
static inline miopenStatus_t cass_spatial_read(miopenTensorDescriptor_t tensor, miopenDataType_t wanted, cass_spatial_image* image)
{
    int size = 0;
    miopenDataType_t type = miopenFloat;
    miopenStatus_t status = miopenGetTensorDescriptorSize(tensor, &size);
    if (status == miopenStatusSuccess && size != 4)
        return miopenStatusNotImplemented;
    if (status == miopenStatusSuccess)
        status = miopenGetTensorDescriptor(tensor, &type, image->dims, image->strides);
    return status == miopenStatusSuccess && type != wanted ? miopenStatusBadParm : status;
}
static inline miopenStatus_t cass_cudnnSpatialTfGridGeneratorForward(miopenHandle_t handle, const cass_cudnnSpatialTransformerDescriptor_t st, const void* theta, void* grid)
{
    hipStream_t stream = nullptr;
    const miopenStatus_t status = miopenGetStream(handle, &stream);
    if (status != miopenStatusSuccess)
        return status;
    const int n = st->dims[0], h = st->dims[2], w = st->dims[3];
    const unsigned blocks = cass_spatial_blocks(size_t(n) * h * w);
    if (st->type == miopenDouble)
        cass_spatial_grid<double><<<blocks, 256, 0, stream>>>(static_cast<const double*>(theta), static_cast<double*>(grid), n, h, w);
    else
        cass_spatial_grid<float><<<blocks, 256, 0, stream>>>(static_cast<const float*>(theta), static_cast<float*>(grid), n, h, w);
    return cass_spatial_done();
}
static inline miopenStatus_t cass_cudnnSpatialTfGridGeneratorBackward(miopenHandle_t handle, const cass_cudnnSpatialTransformerDescriptor_t st, const void* dgrid, void* dtheta)
{
    hipStream_t stream = nullptr;
    const miopenStatus_t status = miopenGetStream(handle, &stream);
    if (status != miopenStatusSuccess)
        return status;
    const int n = st->dims[0], h = st->dims[2], w = st->dims[3];
    const unsigned blocks = cass_spatial_blocks(size_t(n) * 6);
    if (st->type == miopenDouble)
        cass_spatial_grid_back<double><<<blocks, 256, 0, stream>>>(static_cast<const double*>(dgrid), static_cast<double*>(dtheta), n, h, w);
    else
        cass_spatial_grid_back<float><<<blocks, 256, 0, stream>>>(static_cast<const float*>(dgrid), static_cast<float*>(dtheta), n, h, w);
    return cass_spatial_done();
}
static inline miopenStatus_t cass_cudnnSpatialTfSamplerForward(miopenHandle_t handle, cass_cudnnSpatialTransformerDescriptor_t st, const void* alpha, miopenTensorDescriptor_t xDesc, const void* x, const void* grid, const void* beta, miopenTensorDescriptor_t yDesc, void* y)
{
    hipStream_t stream = nullptr;
    cass_spatial_image in, out;
    miopenStatus_t status = miopenGetStream(handle, &stream);
    if (status == miopenStatusSuccess)
        status = cass_spatial_read(xDesc, st->type, &in);
    if (status == miopenStatusSuccess)
        status = cass_spatial_read(yDesc, st->type, &out);
    if (status != miopenStatusSuccess)
        return status;
    const unsigned blocks = cass_spatial_blocks(size_t(out.dims[0]) * out.dims[2] * out.dims[3]);
    const float by = cass_dnn_number(yDesc, alpha), old = cass_dnn_number(yDesc, beta);
    if (st->type == miopenDouble)
        cass_spatial_sample<double><<<blocks, 256, 0, stream>>>(in, static_cast<const double*>(x), static_cast<const double*>(grid), out, static_cast<double*>(y), by, old);
    else
        cass_spatial_sample<float><<<blocks, 256, 0, stream>>>(in, static_cast<const float*>(x), static_cast<const float*>(grid), out, static_cast<float*>(y), by, old);
    return cass_spatial_done();
}
static inline miopenStatus_t cass_cudnnSpatialTfSamplerBackward(miopenHandle_t handle, cass_cudnnSpatialTransformerDescriptor_t st, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx, const void* ofGrid, const miopenTensorDescriptor_t dyDesc, const void* dy, const void* grid, const void* before, void* dgrid)
{
    hipStream_t stream = nullptr;
    cass_spatial_image in, of, out;
    const float old = cass_dnn_number(dxDesc, beta);
    miopenStatus_t status = miopenGetStream(handle, &stream);
    if (status == miopenStatusSuccess)
        status = cass_spatial_read(xDesc, st->type, &in);
    if (status == miopenStatusSuccess)
        status = cass_spatial_read(dxDesc, st->type, &of);
    if (status == miopenStatusSuccess)
        status = cass_spatial_read(dyDesc, st->type, &out);
    for (int at = 0; at < 4 && status == miopenStatusSuccess; ++at)
        if (in.strides[at] != of.strides[at] || in.dims[at] != of.dims[at])
            status = miopenStatusNotImplemented;
    /* MIOpen scales tensors of float by a float. */
    if (status == miopenStatusSuccess && old != 0.0f)
        status = st->type == miopenFloat ? miopenScaleTensor(handle, dxDesc, dx, &old) : miopenStatusNotImplemented;
    if (status == miopenStatusSuccess && old == 0.0f && hipMemsetAsync(dx, 0, cass_dnn_bytes(dxDesc), stream) != hipSuccess)
        status = miopenStatusInternalError;
    if (status != miopenStatusSuccess)
        return status;
    const unsigned blocks = cass_spatial_blocks(size_t(out.dims[0]) * out.dims[2] * out.dims[3]);
    const float by = cass_dnn_number(dxDesc, alpha), grid_by = cass_dnn_number(dyDesc, ofGrid), grid_old = cass_dnn_number(dyDesc, before);
    if (st->type == miopenDouble)
        cass_spatial_sample_back<double><<<blocks, 256, 0, stream>>>(in, static_cast<const double*>(x), static_cast<double*>(dx), by, out, static_cast<const double*>(dy), static_cast<const double*>(grid), static_cast<double*>(dgrid), grid_by, grid_old);
    else
        cass_spatial_sample_back<float><<<blocks, 256, 0, stream>>>(in, static_cast<const float*>(x), static_cast<float*>(dx), by, out, static_cast<const float*>(dy), static_cast<const float*>(grid), static_cast<float*>(dgrid), grid_by, grid_old);
    return cass_spatial_done();
}
#else
static inline miopenStatus_t cass_cudnnSpatialTfGridGeneratorForward(miopenHandle_t handle, const cass_cudnnSpatialTransformerDescriptor_t st, const void* theta, void* grid)
{
    (void)handle, (void)st, (void)theta, (void)grid;
    return miopenStatusNotImplemented;
}
static inline miopenStatus_t cass_cudnnSpatialTfGridGeneratorBackward(miopenHandle_t handle, const cass_cudnnSpatialTransformerDescriptor_t st, const void* dgrid, void* dtheta)
{
    (void)handle, (void)st, (void)dgrid, (void)dtheta;
    return miopenStatusNotImplemented;
}
static inline miopenStatus_t cass_cudnnSpatialTfSamplerForward(miopenHandle_t handle, cass_cudnnSpatialTransformerDescriptor_t st, const void* alpha, miopenTensorDescriptor_t xDesc, const void* x, const void* grid, const void* beta, miopenTensorDescriptor_t yDesc, void* y)
{
    (void)handle, (void)st, (void)alpha, (void)xDesc, (void)x, (void)grid, (void)beta, (void)yDesc, (void)y;
    return miopenStatusNotImplemented;
}
static inline miopenStatus_t cass_cudnnSpatialTfSamplerBackward(miopenHandle_t handle, cass_cudnnSpatialTransformerDescriptor_t st, const void* alpha, const miopenTensorDescriptor_t xDesc, const void* x, const void* beta, const miopenTensorDescriptor_t dxDesc, void* dx, const void* ofGrid, const miopenTensorDescriptor_t dyDesc, const void* dy, const void* grid, const void* before, void* dgrid)
{
    (void)handle, (void)st, (void)alpha, (void)xDesc, (void)x, (void)beta, (void)dxDesc, (void)dx, (void)ofGrid, (void)dyDesc, (void)dy, (void)grid, (void)before, (void)dgrid;
    return miopenStatusNotImplemented;
}
#endif
