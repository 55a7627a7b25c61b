// Recurrent networks: LSTM, GRU, tanh and ReLU, against cuDNN's formulas in double, and their gradients against differences of these.
#include "device.hpp"

#include <algorithm>

static cudnnHandle_t handle;

struct Kind {
    const char *name;
    cudnnRNNMode_t mode;
    int gates;
};
static const Kind kinds[] = {{"ReLU", CUDNN_RNN_RELU, 1}, {"tanh", CUDNN_RNN_TANH, 1}, {"LSTM", CUDNN_LSTM, 4}, {"GRU", CUDNN_GRU, 3}};

struct Case {
    Kind kind;
    int layers, directions;
    std::vector<int> sizes; // sequences of each step, the longest first
    bool has_first;         // a first hidden state and memory
    float rate;             // of what is dropped between layers
};

const int input = 4, hidden = 3;

// A parameter's place in the buffer of all, in elements.
struct Place {
    size_t at;
    int rows, columns;
};

// The formulas, with all parameters in one vector of double.
struct Formula {
    const Case &c;
    std::vector<Place> matrices, biases; // [layer][gate], by cuDNN's numbers of the gates
    int rows() const
    {
        int all = 0;
        for (int size : c.sizes)
            all += size;
        return all;
    }
    int states() const { return c.layers * c.directions * c.sizes[0] * hidden; }

    double sum(const std::vector<double> &w, int layer, int gate, int unit, const std::vector<double> &with) const
    {
        const Place &m = matrices[layer * 2 * c.kind.gates + gate], &b = biases[layer * 2 * c.kind.gates + gate];
        double all = w[b.at + unit];
        for (int k = 0; k < m.columns; ++k)
            all += w[m.at + unit * m.columns + k] * with[k];
        return all;
    }

    static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

    void cell(const std::vector<double> &w, int layer, const std::vector<double> &x, std::vector<double> &h, std::vector<double> &memory) const
    {
        const std::vector<double> before = h;
        const int g = c.kind.gates;
        for (int u = 0; u < hidden; ++u) {
            auto both = [&](int gate) { return sum(w, layer, gate, u, x) + sum(w, layer, g + gate, u, before); };
            switch (c.kind.mode) {
            case CUDNN_RNN_RELU: h[u] = std::max(0.0, both(0)); break;
            case CUDNN_RNN_TANH: h[u] = std::tanh(both(0)); break;
            case CUDNN_LSTM: {
                const double in = sigmoid(both(0)), forget = sigmoid(both(1)), news = std::tanh(both(2)), out = sigmoid(both(3));
                memory[u] = forget * memory[u] + in * news;
                h[u] = out * std::tanh(memory[u]);
                break;
            }
            default: {
                const double reset = sigmoid(both(0)), update = sigmoid(both(1));
                const double news = std::tanh(sum(w, layer, 2, u, x) + reset * sum(w, layer, 5, u, before));
                h[u] = (1 - update) * news + update * before[u];
            }
            }
        }
    }

    // y, hy and cy one after the other.
    std::vector<double> run(const std::vector<double> &w, const std::vector<double> &x, const std::vector<double> &hx, const std::vector<double> &cx) const
    {
        const int steps = int(c.sizes.size()), batch = c.sizes[0];
        std::vector<std::vector<double>> below(rows());
        for (int r = 0; r < rows(); ++r)
            below[r].assign(x.begin() + r * input, x.begin() + (r + 1) * input);
        std::vector<double> hy(states()), cy(states());
        for (int depth = 0; depth < c.layers; ++depth) {
            std::vector<std::vector<double>> above(rows(), std::vector<double>(c.directions * hidden));
            for (int d = 0; d < c.directions; ++d) {
                const int layer = depth * c.directions + d;
                for (int s = 0; s < batch; ++s) {
                    const int first = (layer * batch + s) * hidden;
                    std::vector<double> h(hx.begin() + first, hx.begin() + first + hidden), memory(cx.begin() + first, cx.begin() + first + hidden);
                    int length = 0;
                    while (length < steps && s < c.sizes[length])
                        ++length;
                    for (int i = 0; i < length; ++i) {
                        const int time = d == 0 ? i : length - 1 - i;
                        int row = s;
                        for (int t = 0; t < time; ++t)
                            row += c.sizes[t];
                        cell(w, layer, below[row], h, memory);
                        std::copy(h.begin(), h.end(), above[row].begin() + d * hidden);
                    }
                    std::copy(h.begin(), h.end(), hy.begin() + first);
                    std::copy(memory.begin(), memory.end(), cy.begin() + first);
                }
            }
            below = above;
        }
        std::vector<double> all;
        for (const auto &row : below)
            all.insert(all.end(), row.begin(), row.end());
        all.insert(all.end(), hy.begin(), hy.end());
        if (c.kind.mode == CUDNN_LSTM)
            all.insert(all.end(), cy.begin(), cy.end());
        return all;
    }
};

static std::vector<double> wide(const Numbers &all) { return std::vector<double>(all.begin(), all.end()); }

static void close(const Case &c, const char *what, const Numbers &found, const std::vector<double> &wanted, double within = 2e-5)
{
    double most = 0;
    for (size_t i = 0; i < found.size(); ++i)
        most = std::max(most, std::isnan(found[i]) ? 1.0 : std::fabs(found[i] - wanted[i]));
    if (most > within || found.size() > wanted.size()) {
        std::printf("%s of %d layers, %d directions: %s differs by %g\n", c.kind.name, c.layers, c.directions, what, most);
        ++failures;
    }
}

struct Descriptors {
    std::vector<cudnnTensorDescriptor_t> all;
    Descriptors(const std::vector<int> &sizes, int width)
    {
        for (int size : sizes) {
            const int dims[3] = {size, width, 1}, strides[3] = {width, 1, 1};
            cudnnTensorDescriptor_t d;
            CHECK(cudnnCreateTensorDescriptor(&d));
            CHECK(cudnnSetTensorNdDescriptor(d, CUDNN_DATA_FLOAT, 3, dims, strides));
            all.push_back(d);
        }
    }
    ~Descriptors()
    {
        for (cudnnTensorDescriptor_t d : all)
            cudnnDestroyTensorDescriptor(d);
    }
};

// Where the parameters of a network lie, as NVIDIA's sample asks for them: elements are the product of three sizes.
static Place place(cudnnRNNDescriptor_t r, int layer, int gate, bool is_bias, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t wd, const float *w)
{
    cudnnFilterDescriptor_t described;
    CHECK(cudnnCreateFilterDescriptor(&described));
    float *found = nullptr;
    if (is_bias)
        CHECK(cudnnGetRNNLinLayerBiasParams(handle, r, layer, x, wd, w, gate, described, (void **)&found));
    else
        CHECK(cudnnGetRNNLinLayerMatrixParams(handle, r, layer, x, wd, w, gate, described, (void **)&found));
    cudnnDataType_t type;
    cudnnTensorFormat_t format;
    int count = 0, dims[3] = {0, 0, 0};
    CHECK(cudnnGetFilterNdDescriptor(described, 3, &type, &format, &count, dims));
    failures += count != 3 || type != CUDNN_DATA_FLOAT;
    CHECK(cudnnDestroyFilterDescriptor(described));
    return {size_t(found - w), dims[1], dims[2]};
}

// As wrappers call: the function is passed on.
template <class F, class... A> cudnnStatus_t through(F f, A... a) { return f(a...); }

static void recurrent(const Case &c)
{
    Formula formula{c, {}, {}};
    const int rows = formula.rows(), states = formula.states(), width = c.directions * hidden, steps = int(c.sizes.size());
    cudnnDropoutDescriptor_t dropout;
    CHECK(cudnnCreateDropoutDescriptor(&dropout));
    size_t bytes = 0;
    CHECK(cudnnDropoutGetStatesSize(handle, &bytes));
    Array drawn(Numbers(bytes / 4));
    CHECK(cudnnSetDropoutDescriptor(dropout, handle, c.rate, drawn.p, bytes, 1234));
    cudnnRNNDescriptor_t r;
    CHECK(cudnnCreateRNNDescriptor(&r));
    CHECK(through(cudnnSetRNNDescriptor_v6, handle, r, hidden, c.layers, dropout, CUDNN_LINEAR_INPUT, c.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL,
                  c.kind.mode, CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT));
    Descriptors xd(c.sizes, input), yd(c.sizes, width);
    CHECK(cudnnGetRNNParamsSize(handle, r, xd.all[0], &bytes, CUDNN_DATA_FLOAT));
    const int parameters = int(bytes / 4), dims[3] = {parameters, 1, 1};
    cudnnFilterDescriptor_t wd;
    CHECK(cudnnCreateFilterDescriptor(&wd));
    CHECK(cudnnSetFilterNdDescriptor(wd, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, dims));
    const int state_dims[3] = {c.layers * c.directions, c.sizes[0], hidden}, state_strides[3] = {c.sizes[0] * hidden, hidden, 1};
    cudnnTensorDescriptor_t sd;
    CHECK(cudnnCreateTensorDescriptor(&sd));
    CHECK(cudnnSetTensorNdDescriptor(sd, CUDNN_DATA_FLOAT, 3, state_dims, state_strides));

    const Numbers w = noise(parameters, 31, 0.7f), x = noise(rows * input, 32), zeros(states);
    const Numbers hx = c.has_first ? noise(states, 33) : zeros, cx = c.has_first ? noise(states, 34) : zeros;
    Array pw(w), px(x), phx(hx), pcx(cx), py(Numbers(rows * width, NAN)), phy(Numbers(states, NAN)), pcy(zeros);
    int places = 0;
    for (int layer = 0; layer < c.layers * c.directions; ++layer)
        for (int gate = 0; gate < 2 * c.kind.gates; ++gate) {
            formula.matrices.push_back(place(r, layer, gate, false, xd.all[0], wd, pw.p));
            formula.biases.push_back(place(r, layer, gate, true, xd.all[0], wd, pw.p));
            places += formula.matrices.back().rows * formula.matrices.back().columns + formula.biases.back().rows;
        }
    failures += places != parameters;

    size_t space = 0, reserved = 0;
    CHECK(cudnnGetRNNWorkspaceSize(handle, r, steps, xd.all.data(), &space));
    CHECK(cudnnGetRNNTrainingReserveSize(handle, r, steps, xd.all.data(), &reserved));
    Array pspace(Numbers(space / 4 + 1)), preserve(Numbers(reserved / 4 + 1));
    const float *first = c.has_first ? phx.p : nullptr, *memory = c.has_first ? pcx.p : nullptr;
    const std::vector<double> wanted = formula.run(wide(w), wide(x), wide(hx), wide(cx));
    auto check = [&](const char *what) {
        const Numbers y = py.read(), hy = phy.read(), cy = pcy.read();
        close(c, what, y, wanted);
        close(c, "last hidden state", hy, {wanted.begin() + y.size(), wanted.end()});
        if (c.kind.mode == CUDNN_LSTM)
            close(c, "last memory", cy, {wanted.begin() + y.size() + hy.size(), wanted.end()});
    };
    CHECK(cudnnRNNForwardInference(handle, r, steps, xd.all.data(), px.p, sd, first, sd, memory, wd, pw.p, yd.all.data(), py.p, sd, phy.p, sd, pcy.p, pspace.p, space));
    check("inference");
    auto train = [&] {
        CHECK(cudnnRNNForwardTraining(handle, r, steps, xd.all.data(), px.p, sd, first, sd, memory, wd, pw.p, yd.all.data(), py.p, sd, phy.p, sd, pcy.p, pspace.p, space,
                                      preserve.p, reserved));
    };
    train();
    if (c.rate == 0)
        check("training");
    // What is dropped is not known to the formula, but it is other with each pass.
    const Numbers once = py.read();
    if (c.rate > 0) {
        train();
        failures += py.read() == once;
    }

    const Numbers dy = noise(rows * width, 35), dhy = noise(states, 36), dcy = noise(states, 37), old = noise(parameters, 38);
    Array pdy(dy), pdhy(dhy), pdcy(dcy), pdx(Numbers(rows * input, NAN)), pdhx(Numbers(states, NAN)), pdcx(zeros), pdw(old);
    CHECK(cudnnRNNBackwardData(handle, r, steps, yd.all.data(), py.p, yd.all.data(), pdy.p, sd, pdhy.p, sd, pdcy.p, wd, pw.p, sd, first, sd, memory, xd.all.data(), pdx.p, sd,
                               pdhx.p, sd, pdcx.p, pspace.p, space, preserve.p, reserved));
    CHECK(cudnnRNNBackwardWeights(handle, r, steps, xd.all.data(), px.p, sd, first, yd.all.data(), py.p, pspace.p, space, wd, pdw.p, preserve.p, reserved));
    if (c.rate == 0) {
        std::vector<double> from[4] = {wide(w), wide(x), wide(hx), wide(cx)};
        auto loss = [&] {
            const std::vector<double> all = formula.run(from[0], from[1], from[2], from[3]);
            double sum = 0;
            for (size_t i = 0; i < all.size(); ++i)
                sum += all[i] * (i < dy.size() ? dy[i] : i < dy.size() + dhy.size() ? dhy[i - dy.size()] : dcy[i - dy.size() - dhy.size()]);
            return sum;
        };
        auto differences = [&](std::vector<double> &of, const Numbers &there) {
            std::vector<double> all;
            for (size_t i = 0; i < of.size(); ++i) {
                const double was = of[i], step = 1e-5;
                of[i] = was + step;
                const double more = loss();
                of[i] = was - step;
                all.push_back((more - loss()) / (2 * step) + (there.empty() ? 0 : there[i]));
                of[i] = was;
            }
            return all;
        };
        close(c, "gradient of x", pdx.read(), differences(from[1], {}), 1e-4);
        close(c, "gradient of the parameters, added", pdw.read(), differences(from[0], old), 1e-4);
        close(c, "gradient of the first hidden state", pdhx.read(), differences(from[2], {}), 1e-4);
        if (c.kind.mode == CUDNN_LSTM)
            close(c, "gradient of the first memory", pdcx.read(), differences(from[3], {}), 1e-4);
    }
    cudnnDestroyTensorDescriptor(sd);
    cudnnDestroyFilterDescriptor(wd);
    CHECK(cudnnDestroyRNNDescriptor(r));
    CHECK(cudnnDestroyDropoutDescriptor(dropout));
}

int main()
{
    CHECK(cudnnCreate(&handle));
    for (const Kind &kind : kinds) {
        recurrent({kind, 1, 1, {2, 2, 2}, true, 0});
        recurrent({kind, 1, 1, {2, 2, 2}, false, 0});
        recurrent({kind, 2, 1, {3, 2, 1}, true, 0});
        recurrent({kind, 2, 2, {3, 2, 1}, false, 0});
        recurrent({kind, 2, 2, {2, 2}, true, 0.5f});
    }
    CHECK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
