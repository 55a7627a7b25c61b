// A small network in the manner of frameworks in C++: layers behind one interface, descriptors by templates, calls in macros, ladders over
// cuDNN's version, groups of a convolution on handles and streams of their own. It trains for ten steps; each loss against plain loops.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <cuda_runtime.h>
#include <cudnn.h>

#define VERSION_AT_LEAST(major, minor, patch) (CUDNN_VERSION >= ((major) * 1000 + (minor) * 100 + (patch)))

#define CUDA_OK(call)                                                                  \
    do {                                                                               \
        cudaError_t error_ = (call);                                                   \
        if (error_ != cudaSuccess) {                                                   \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            std::exit(1);                                                              \
        }                                                                              \
    } while (0)

#define CUDNN_OK(condition)                                                                     \
    do {                                                                                        \
        cudnnStatus_t status = condition;                                                       \
        if (status != CUDNN_STATUS_SUCCESS) {                                                   \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, bricks::text_of(status));            \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

namespace bricks {

inline const char *text_of(cudnnStatus_t status)
{
    switch (status) {
    case CUDNN_STATUS_SUCCESS:
        return "success";
    case CUDNN_STATUS_NOT_INITIALIZED:
        return "not initialised";
    case CUDNN_STATUS_ALLOC_FAILED:
        return "no memory";
    case CUDNN_STATUS_BAD_PARAM:
        return "a bad parameter";
    case CUDNN_STATUS_NOT_SUPPORTED:
        return "not supported";
    default:
        return cudnnGetErrorString(status);
    }
}

template <typename T> struct Type;
template <> struct Type<float> {
    static const cudnnDataType_t value = CUDNN_DATA_FLOAT;
    static float one_, zero_;
    static const void *one, *zero;
};
float Type<float>::one_ = 1.0f;
float Type<float>::zero_ = 0.0f;
const void *Type<float>::one = &Type<float>::one_;
const void *Type<float>::zero = &Type<float>::zero_;

template <typename T> inline void create_tensor(cudnnTensorDescriptor_t *d) { CUDNN_OK(cudnnCreateTensorDescriptor(d)); }

template <typename T>
inline void set_tensor(cudnnTensorDescriptor_t *d, int n, int c, int h, int w, int ns, int cs, int hs, int ws)
{
    CUDNN_OK(cudnnSetTensor4dDescriptorEx(*d, Type<T>::value, n, c, h, w, ns, cs, hs, ws));
}

template <typename T> inline void set_tensor(cudnnTensorDescriptor_t *d, int n, int c, int h, int w)
{
    set_tensor<T>(d, n, c, h, w, c * h * w, h * w, w, 1);
}

template <typename T> inline void create_filter(cudnnFilterDescriptor_t *d, int n, int c, int h, int w)
{
    CUDNN_OK(cudnnCreateFilterDescriptor(d));
#if VERSION_AT_LEAST(5, 0, 0)
    CUDNN_OK(cudnnSetFilter4dDescriptor(*d, Type<T>::value, CUDNN_TENSOR_NCHW, n, c, h, w));
#else
    CUDNN_OK(cudnnSetFilter4dDescriptor_v4(*d, Type<T>::value, CUDNN_TENSOR_NCHW, n, c, h, w));
#endif
}

template <typename T>
inline void set_convolution(cudnnConvolutionDescriptor_t *conv, int pad, int stride)
{
#if VERSION_AT_LEAST(6, 0, 0)
    CUDNN_OK(cudnnSetConvolution2dDescriptor(*conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION, Type<T>::value));
#else
    CUDNN_OK(cudnnSetConvolution2dDescriptor(*conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION));
#endif
}

struct Shape {
    int n, c, h, w;
    int count() const { return n * c * h * w; }
};

// Values and their gradients on both sides.
template <typename T> struct Blob {
    Shape shape;
    T *data = nullptr, *diff = nullptr;
    cudnnTensorDescriptor_t desc;
    explicit Blob(Shape s) : shape(s)
    {
        CUDA_OK(cudaMalloc((void **)&data, s.count() * sizeof(T)));
        CUDA_OK(cudaMalloc((void **)&diff, s.count() * sizeof(T)));
        CUDA_OK(cudaMemset(diff, 0, s.count() * sizeof(T)));
        create_tensor<T>(&desc);
        set_tensor<T>(&desc, s.n, s.c, s.h, s.w);
    }
    ~Blob()
    {
        cudaFree(data);
        cudaFree(diff);
        CUDNN_OK(cudnnDestroyTensorDescriptor(desc));
    }
    void put(const std::vector<T> &all) { CUDA_OK(cudaMemcpy(data, all.data(), all.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void put_diff(const std::vector<T> &all) { CUDA_OK(cudaMemcpy(diff, all.data(), all.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    std::vector<T> get() const
    {
        std::vector<T> all(shape.count());
        CUDA_OK(cudaMemcpy(all.data(), data, all.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return all;
    }
};

template <typename T> class Layer {
public:
    virtual ~Layer() {}
    virtual Shape out(Shape in) const = 0;
    virtual void setup(const Blob<T> &bottom, const Blob<T> &top) = 0;
    virtual void forward(const Blob<T> &bottom, Blob<T> &top) = 0;
    virtual void backward(Blob<T> &bottom, const Blob<T> &top, bool wants_data) = 0;
    virtual std::vector<Blob<T> *> params() { return {}; }
};

template <typename T> class Convolution : public Layer<T> {
public:
    Convolution(Shape weight, int pad, int groups, const std::vector<T> &w) : pad_(pad), groups_(groups), weight_(weight), bias_({1, weight.n, 1, 1})
    {
        weight_.put(w);
        bias_.put(std::vector<T>(weight.n, T(0.1)));
        handles_.resize(groups);
        streams_.resize(groups);
        workspaces_.assign(groups, nullptr);
        for (int g = 0; g < groups; ++g) {
            CUDA_OK(cudaStreamCreate(&streams_[g]));
            CUDNN_OK(cudnnCreate(&handles_[g]));
            CUDNN_OK(cudnnSetStream(handles_[g], streams_[g]));
        }
        create_filter<T>(&filter_, weight.n / groups, weight.c, weight.h, weight.w);
        create_tensor<T>(&bias_desc_);
        set_tensor<T>(&bias_desc_, 1, weight.n / groups, 1, 1);
        create_tensor<T>(&bottom_);
        create_tensor<T>(&top_);
        CUDNN_OK(cudnnCreateConvolutionDescriptor(&conv_));
        set_convolution<T>(&conv_, pad, 1);
    }
    ~Convolution()
    {
        cudnnDestroyTensorDescriptor(bottom_);
        cudnnDestroyTensorDescriptor(top_);
        cudnnDestroyTensorDescriptor(bias_desc_);
        cudnnDestroyFilterDescriptor(filter_);
        cudnnDestroyConvolutionDescriptor(conv_);
        for (int g = 0; g < groups_; ++g) {
            cudnnDestroy(handles_[g]);
            cudaStreamDestroy(streams_[g]);
            cudaFree(workspaces_[g]);
        }
    }
    Shape out(Shape in) const override
    {
        const Shape w = weight_.shape;
        return {in.n, w.n, in.h + 2 * pad_ - w.h + 1, in.w + 2 * pad_ - w.w + 1};
    }
    // The tensors of a group are a part of the channels, with the strides of the whole.
    void setup(const Blob<T> &bottom, const Blob<T> &top) override
    {
        const Shape x = bottom.shape, y = top.shape;
        set_tensor<T>(&bottom_, x.n, x.c / groups_, x.h, x.w, x.c * x.h * x.w, x.h * x.w, x.w, 1);
        set_tensor<T>(&top_, y.n, y.c / groups_, y.h, y.w, y.c * y.h * y.w, y.h * y.w, y.w, 1);
        const size_t limit = 1 << 20;
#if VERSION_AT_LEAST(8, 0, 0)
        int count = 0;
        cudnnConvolutionFwdAlgoPerf_t fwd[4];
        cudnnConvolutionBwdFilterAlgoPerf_t filter[4];
        cudnnConvolutionBwdDataAlgoPerf_t data[4];
        CUDNN_OK(cudnnGetConvolutionForwardAlgorithm_v7(handles_[0], bottom_, filter_, conv_, top_, 4, &count, fwd));
        fwd_ = choose(fwd, count, limit);
        CUDNN_OK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(handles_[0], bottom_, top_, conv_, filter_, 4, &count, filter));
        bwd_filter_ = choose(filter, count, limit);
        CUDNN_OK(cudnnGetConvolutionBackwardDataAlgorithm_v7(handles_[0], filter_, top_, conv_, bottom_, 4, &count, data));
        bwd_data_ = choose(data, count, limit);
#else
        CUDNN_OK(cudnnGetConvolutionForwardAlgorithm(handles_[0], bottom_, filter_, conv_, top_, CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT, limit, &fwd_));
        CUDNN_OK(cudnnGetConvolutionBackwardFilterAlgorithm(handles_[0], bottom_, top_, conv_, filter_, CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, limit, &bwd_filter_));
        CUDNN_OK(cudnnGetConvolutionBackwardDataAlgorithm(handles_[0], filter_, top_, conv_, bottom_, CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT, limit, &bwd_data_));
#endif
        size_t most = 0, bytes = 0;
        CUDNN_OK(cudnnGetConvolutionForwardWorkspaceSize(handles_[0], bottom_, filter_, conv_, top_, fwd_, &bytes));
        most = std::max(most, bytes);
        CUDNN_OK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handles_[0], bottom_, top_, conv_, filter_, bwd_filter_, &bytes));
        most = std::max(most, bytes);
        CUDNN_OK(cudnnGetConvolutionBackwardDataWorkspaceSize(handles_[0], filter_, top_, conv_, bottom_, bwd_data_, &bytes));
        bytes_ = std::max(most, bytes);
        for (int g = 0; g < groups_; ++g)
            CUDA_OK(cudaMalloc(&workspaces_[g], std::max(bytes_, size_t(1))));
    }
    void forward(const Blob<T> &bottom, Blob<T> &top) override
    {
        for (int g = 0; g < groups_; ++g) {
            CUDNN_OK(cudnnConvolutionForward(handles_[g], Type<T>::one, bottom_, bottom.data + part(bottom) * g, filter_, weight_.data + part(weight_) * g, conv_, fwd_,
                                             workspaces_[g], bytes_, Type<T>::zero, top_, top.data + part(top) * g));
#if VERSION_AT_LEAST(4, 0, 0)
            CUDNN_OK(cudnnAddTensor(handles_[g], Type<T>::one, bias_desc_, bias_.data + part(bias_) * g, Type<T>::one, top_, top.data + part(top) * g));
#else
            CUDNN_OK(cudnnAddTensor(handles_[g], CUDNN_ADD_SAME_C, Type<T>::one, bias_desc_, bias_.data + part(bias_) * g, Type<T>::one, top_, top.data + part(top) * g));
#endif
        }
        wait();
    }
    void backward(Blob<T> &bottom, const Blob<T> &top, bool wants_data) override
    {
        for (int g = 0; g < groups_; ++g) {
            CUDNN_OK(cudnnConvolutionBackwardBias(handles_[g], Type<T>::one, top_, top.diff + part(top) * g, Type<T>::one, bias_desc_, bias_.diff + part(bias_) * g));
            CUDNN_OK(cudnnConvolutionBackwardFilter(handles_[g], Type<T>::one, bottom_, bottom.data + part(bottom) * g, top_, top.diff + part(top) * g, conv_, bwd_filter_,
                                                    workspaces_[g], bytes_, Type<T>::one, filter_, weight_.diff + part(weight_) * g));
            if (wants_data)
                CUDNN_OK(cudnnConvolutionBackwardData(handles_[g], Type<T>::one, filter_, weight_.data + part(weight_) * g, top_, top.diff + part(top) * g, conv_, bwd_data_,
                                                      workspaces_[g], bytes_, Type<T>::zero, bottom_, bottom.diff + part(bottom) * g));
        }
        wait();
    }
    std::vector<Blob<T> *> params() override { return {&weight_, &bias_}; }

private:
    template <typename Perf> static auto choose(const Perf *all, int count, size_t limit) -> decltype(all->algo)
    {
        for (int i = 0; i < count; ++i)
            if (all[i].status == CUDNN_STATUS_SUCCESS && all[i].memory <= limit)
                return all[i].algo;
        std::printf("no algorithm fits\n");
        std::exit(1);
    }
    int part(const Blob<T> &blob) const
    {
        const Shape s = blob.shape;
        return (&blob == &weight_ || &blob == &bias_ ? s.count() : s.c * s.h * s.w) / groups_;
    }
    void wait() const
    {
        for (cudaStream_t stream : streams_)
            CUDA_OK(cudaStreamSynchronize(stream));
    }
    int pad_, groups_;
    Blob<T> weight_, bias_;
    std::vector<cudnnHandle_t> handles_;
    std::vector<cudaStream_t> streams_;
    std::vector<void *> workspaces_;
    size_t bytes_ = 0;
    cudnnFilterDescriptor_t filter_;
    cudnnTensorDescriptor_t bottom_, top_, bias_desc_;
    cudnnConvolutionDescriptor_t conv_;
    cudnnConvolutionFwdAlgo_t fwd_;
    cudnnConvolutionBwdFilterAlgo_t bwd_filter_;
    cudnnConvolutionBwdDataAlgo_t bwd_data_;
};

enum class Unit { relu, sigmoid, tanh };

template <typename T> class Activation : public Layer<T> {
public:
    Activation(cudnnHandle_t h, Unit unit) : handle_(h)
    {
        CUDNN_OK(cudnnCreateActivationDescriptor(&activ_));
        CUDNN_OK(cudnnSetActivationDescriptor(activ_, mode(unit), CUDNN_PROPAGATE_NAN, 0.0));
    }
    ~Activation() { cudnnDestroyActivationDescriptor(activ_); }
    Shape out(Shape in) const override { return in; }
    void setup(const Blob<T> &, const Blob<T> &) override {}
    void forward(const Blob<T> &bottom, Blob<T> &top) override
    {
#if VERSION_AT_LEAST(5, 0, 0)
        CUDNN_OK(cudnnActivationForward(handle_, activ_, Type<T>::one, bottom.desc, bottom.data, Type<T>::zero, top.desc, top.data));
#else
        CUDNN_OK(cudnnActivationForward_v4(handle_, activ_, Type<T>::one, bottom.desc, bottom.data, Type<T>::zero, top.desc, top.data));
#endif
    }
    void backward(Blob<T> &bottom, const Blob<T> &top, bool) override
    {
        CUDNN_OK(cudnnActivationBackward(handle_, activ_, Type<T>::one, top.desc, top.data, top.desc, top.diff, bottom.desc, bottom.data, Type<T>::zero, bottom.desc, bottom.diff));
    }

private:
    static cudnnActivationMode_t mode(Unit unit)
    {
        switch (unit) {
        case Unit::relu:
            return CUDNN_ACTIVATION_RELU;
        case Unit::sigmoid:
            return CUDNN_ACTIVATION_SIGMOID;
        default:
            return CUDNN_ACTIVATION_TANH;
        }
    }
    cudnnHandle_t handle_;
    cudnnActivationDescriptor_t activ_;
};

template <typename T> class Neighbours : public Layer<T> {
public:
    Neighbours(cudnnHandle_t h, int size, double alpha, double beta, double k) : handle_(h)
    {
        CUDNN_OK(cudnnCreateLRNDescriptor(&norm_));
        CUDNN_OK(cudnnSetLRNDescriptor(norm_, size, alpha, beta, k));
    }
    ~Neighbours() { cudnnDestroyLRNDescriptor(norm_); }
    Shape out(Shape in) const override { return in; }
    void setup(const Blob<T> &, const Blob<T> &) override {}
    void forward(const Blob<T> &bottom, Blob<T> &top) override
    {
        CUDNN_OK(cudnnLRNCrossChannelForward(handle_, norm_, CUDNN_LRN_CROSS_CHANNEL_DIM1, Type<T>::one, bottom.desc, bottom.data, Type<T>::zero, top.desc, top.data));
    }
    void backward(Blob<T> &bottom, const Blob<T> &top, bool) override
    {
        CUDNN_OK(cudnnLRNCrossChannelBackward(handle_, norm_, CUDNN_LRN_CROSS_CHANNEL_DIM1, Type<T>::one, top.desc, top.data, top.desc, top.diff, bottom.desc, bottom.data,
                                              Type<T>::zero, bottom.desc, bottom.diff));
    }

private:
    cudnnHandle_t handle_;
    cudnnLRNDescriptor_t norm_;
};

template <typename T> class Pooling : public Layer<T> {
public:
    Pooling(cudnnHandle_t h, int window, bool is_max) : handle_(h), window_(window)
    {
        mode_ = is_max ? CUDNN_POOLING_MAX : CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
        CUDNN_OK(cudnnCreatePoolingDescriptor(&pooling_));
#if VERSION_AT_LEAST(5, 0, 0)
        CUDNN_OK(cudnnSetPooling2dDescriptor(pooling_, mode_, CUDNN_PROPAGATE_NAN, window, window, 0, 0, window, window));
#else
        CUDNN_OK(cudnnSetPooling2dDescriptor_v4(pooling_, mode_, CUDNN_PROPAGATE_NAN, window, window, 0, 0, window, window));
#endif
    }
    ~Pooling() { cudnnDestroyPoolingDescriptor(pooling_); }
    Shape out(Shape in) const override { return {in.n, in.c, in.h / window_, in.w / window_}; }
    void setup(const Blob<T> &, const Blob<T> &) override {}
    void forward(const Blob<T> &bottom, Blob<T> &top) override
    {
        CUDNN_OK(cudnnPoolingForward(handle_, pooling_, Type<T>::one, bottom.desc, bottom.data, Type<T>::zero, top.desc, top.data));
    }
    void backward(Blob<T> &bottom, const Blob<T> &top, bool) override
    {
        CUDNN_OK(cudnnPoolingBackward(handle_, pooling_, Type<T>::one, top.desc, top.data, top.desc, top.diff, bottom.desc, bottom.data, Type<T>::zero, bottom.desc, bottom.diff));
    }

private:
    cudnnHandle_t handle_;
    int window_;
    cudnnPoolingMode_t mode_;
    cudnnPoolingDescriptor_t pooling_;
};

template <typename T> class Softmax : public Layer<T> {
public:
    explicit Softmax(cudnnHandle_t h) : handle_(h) {}
    Shape out(Shape in) const override { return in; }
    void setup(const Blob<T> &, const Blob<T> &) override {}
    void forward(const Blob<T> &bottom, Blob<T> &top) override
    {
        CUDNN_OK(cudnnSoftmaxForward(handle_, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, Type<T>::one, bottom.desc, bottom.data, Type<T>::zero, top.desc, top.data));
    }
    void backward(Blob<T> &bottom, const Blob<T> &top, bool) override
    {
        CUDNN_OK(cudnnSoftmaxBackward(handle_, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, Type<T>::one, top.desc, top.data, top.desc, top.diff, Type<T>::zero, bottom.desc,
                                      bottom.diff));
    }

private:
    cudnnHandle_t handle_;
};

template <typename T> class Net {
public:
    explicit Net(Shape in) { blobs_.emplace_back(new Blob<T>(in)); }
    void add(Layer<T> *layer)
    {
        blobs_.emplace_back(new Blob<T>(layer->out(blobs_.back()->shape)));
        layer->setup(*blobs_[blobs_.size() - 2], *blobs_.back());
        layers_.emplace_back(layer);
    }
    Blob<T> &input() { return *blobs_.front(); }
    Blob<T> &output() { return *blobs_.back(); }
    void forward()
    {
        for (size_t i = 0; i < layers_.size(); ++i) {
            layers_[i]->forward(*blobs_[i], *blobs_[i + 1]);
            CUDA_OK(cudaDeviceSynchronize());
        }
    }
    void backward()
    {
        for (size_t i = layers_.size(); i-- > 0;) {
            layers_[i]->backward(*blobs_[i], *blobs_[i + 1], i > 0);
            CUDA_OK(cudaDeviceSynchronize());
        }
    }
    // A step down the gradients, which are 0 again behind it.
    void update(cudnnHandle_t h, T rate)
    {
        const T down = -rate;
        for (auto &layer : layers_)
            for (Blob<T> *blob : layer->params()) {
                CUDNN_OK(cudnnAddTensor(h, &down, blob->desc, blob->diff, Type<T>::one, blob->desc, blob->data));
                CUDNN_OK(cudnnSetTensor(h, blob->desc, blob->diff, Type<T>::zero));
            }
        CUDA_OK(cudaDeviceSynchronize());
    }

private:
    std::vector<std::unique_ptr<Blob<T>>> blobs_;
    std::vector<std::unique_ptr<Layer<T>>> layers_;
};

} // namespace bricks

// The same network in plain loops and in double.
namespace plain {

using bricks::Shape;
typedef std::vector<double> Numbers;

struct Net {
    Shape x, w1, y1, p, w2;
    int groups;
    Numbers a, b1, c, b2;

    int at(Shape s, int n, int k, int i, int j) const { return ((n * s.c + k) * s.h + i) * s.w + j; }

    template <class F> void meet(Shape in, Shape w, Shape out, int pad, int parts, F visit) const
    {
        for (int n = 0; n < out.n; ++n)
            for (int k = 0; k < out.c; ++k)
                for (int i = 0; i < out.h; ++i)
                    for (int j = 0; j < out.w; ++j)
                        for (int q = 0; q < w.c; ++q)
                            for (int r = 0; r < w.h; ++r)
                                for (int s = 0; s < w.w; ++s) {
                                    const int row = i + r - pad, column = j + s - pad;
                                    if (row >= 0 && row < in.h && column >= 0 && column < in.w)
                                        visit(at(in, n, k / (w.n / parts) * w.c + q, row, column), at(w, k, q, r, s), at(out, n, k, i, j));
                                }
    }

    double step(const std::vector<float> &image, const std::vector<int> &labels, double rate)
    {
        const Shape y2 = {x.n, w2.n, 1, 1};
        Numbers conv(y1.count()), relu, lrn(y1.count()), scale(y1.count()), pool(p.count()), score(y2.count());
        meet(x, w1, y1, 1, groups, [&](int in, int w, int out) { conv[out] += image[in] * a[w]; });
        for (int i = 0; i < y1.count(); ++i)
            conv[i] += b1[i / (y1.h * y1.w) % y1.c];
        relu = conv;
        for (double &v : relu)
            v = std::max(v, 0.0);
        auto around = [&](int i, auto visit) {
            const int area = y1.h * y1.w, k = i / area % y1.c;
            for (int other = std::max(0, k - 1); other <= std::min(y1.c - 1, k + 1); ++other)
                visit(i + (other - k) * area);
        };
        for (int i = 0; i < y1.count(); ++i) {
            double sum = 0;
            around(i, [&](int o) { sum += relu[o] * relu[o]; });
            scale[i] = 1 + 0.5 / 3 * sum;
            lrn[i] = relu[i] * std::pow(scale[i], -0.75);
        }
        std::vector<int> best(p.count());
        for (int n = 0; n < p.n; ++n)
            for (int k = 0; k < p.c; ++k)
                for (int i = 0; i < p.h; ++i)
                    for (int j = 0; j < p.w; ++j) {
                        int most = at(y1, n, k, 2 * i, 2 * j);
                        for (int v = 1; v < 4; ++v) {
                            const int o = at(y1, n, k, 2 * i + v / 2, 2 * j + v % 2);
                            if (lrn[o] > lrn[most])
                                most = o;
                        }
                        best[at(p, n, k, i, j)] = most;
                        pool[at(p, n, k, i, j)] = lrn[most];
                    }
        meet(p, w2, y2, 0, 1, [&](int in, int w, int out) { score[out] += pool[in] * c[w]; });
        double loss = 0;
        Numbers dscore(y2.count());
        for (int n = 0; n < x.n; ++n) {
            double sum = 0;
            for (int k = 0; k < y2.c; ++k)
                sum += std::exp(score[n * y2.c + k] + b2[k]);
            for (int k = 0; k < y2.c; ++k) {
                const double share = std::exp(score[n * y2.c + k] + b2[k]) / sum;
                dscore[n * y2.c + k] = (share - (k == labels[n])) / x.n;
                if (k == labels[n])
                    loss -= std::log(share) / x.n;
            }
        }
        Numbers da(a.size()), db1(b1.size()), dc(c.size()), db2(b2.size()), dpool(p.count()), dlrn(y1.count()), dconv(y1.count());
        meet(p, w2, y2, 0, 1, [&](int in, int w, int out) {
            dc[w] += pool[in] * dscore[out];
            dpool[in] += c[w] * dscore[out];
        });
        for (int i = 0; i < y2.count(); ++i)
            db2[i % y2.c] += dscore[i];
        for (int i = 0; i < p.count(); ++i)
            dlrn[best[i]] += dpool[i];
        for (int i = 0; i < y1.count(); ++i) {
            double sum = 0;
            around(i, [&](int o) { sum += dlrn[o] * lrn[o] / scale[o]; });
            dconv[i] = dlrn[i] * std::pow(scale[i], -0.75) - 2 * 0.5 / 3 * 0.75 * relu[i] * sum;
            dconv[i] = conv[i] > 0 ? dconv[i] : 0;
            db1[i / (y1.h * y1.w) % y1.c] += dconv[i];
        }
        meet(x, w1, y1, 1, groups, [&](int in, int w, int out) { da[w] += image[in] * dconv[out]; });
        auto down = [&](Numbers &to, const Numbers &by) {
            for (size_t i = 0; i < to.size(); ++i)
                to[i] -= rate * by[i];
        };
        down(a, da);
        down(b1, db1);
        down(c, dc);
        down(b2, db2);
        return loss;
    }
};

} // namespace plain

static std::vector<float> noise(int count, unsigned seed, float scale)
{
    std::vector<float> all(count);
    unsigned state = seed * 2654435761u + 12345u;
    for (float &one : all) {
        state = state * 1664525u + 1013904223u;
        one = scale * (float(state >> 8) / float(1 << 24) * 2.0f - 1.0f);
    }
    return all;
}

int main()
{
    using namespace bricks;
    const Shape x = {8, 2, 12, 12}, w1 = {4, 1, 3, 3}, y1 = {8, 4, 12, 12}, p = {8, 4, 6, 6}, w2 = {5, 4, 6, 6};
    const float rate = 0.2f;
    const std::vector<float> a = noise(w1.count(), 1, 0.5f), c = noise(w2.count(), 2, 0.2f), image = noise(x.count(), 3, 1.0f);
    const std::vector<int> labels = {0, 1, 2, 3, 4, 0, 1, 2};
    plain::Net formula = {x, w1, y1, p, w2, 2, plain::Numbers(a.begin(), a.end()), plain::Numbers(4, 0.1f), plain::Numbers(c.begin(), c.end()), plain::Numbers(5, 0.1f)};

    cudnnHandle_t handle;
    CUDNN_OK(cudnnCreate(&handle));
    int failures = 0;
    {
        Net<float> net(x);
        net.add(new Convolution<float>(w1, 1, 2, a));
        net.add(new Activation<float>(handle, Unit::relu));
        net.add(new Neighbours<float>(handle, 3, 0.5, 0.75, 1.0));
        net.add(new Pooling<float>(handle, 2, true));
        net.add(new Convolution<float>(w2, 0, 1, c));
        net.add(new Softmax<float>(handle));
        net.input().put(image);
        double first = 0, last = 0;
        for (int step = 0; step < 10; ++step) {
            net.forward();
            const std::vector<float> shares = net.output().get();
            std::vector<float> diff(shares.size());
            double loss = 0;
            for (int n = 0; n < x.n; ++n) {
                const int at = n * 5 + labels[n];
                loss -= std::log(double(shares[at])) / x.n;
                diff[at] = -1.0f / shares[at] / x.n;
            }
            net.output().put_diff(diff);
            net.backward();
            net.update(handle, rate);
            const double wanted = formula.step(image, labels, rate);
            std::printf("step %d: loss %.6f, in plain loops %.6f\n", step, loss, wanted);
            failures += !(std::fabs(loss - wanted) < 2e-4);
            first = step == 0 ? loss : first;
            last = loss;
        }
        failures += !(last < first);
    }
    CUDNN_OK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
