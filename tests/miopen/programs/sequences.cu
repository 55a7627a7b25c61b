// Batches of sequences with one descriptor, in each layout of cuDNN and by the calls of cuDNN 7 and of cuDNN 8, against the same sequences
// one by one.
#include "device.hpp"

#include <algorithm>

static cudnnHandle_t handle;
static const int input = 4, hidden = 3, layers = 2;
static const float fill = 0.25f;

struct Case {
    cudnnRNNMode_t mode;
    int directions;
    cudnnRNNDataLayout_t layout;
    std::vector<int> lengths;
    bool is_v8;
    int longest() const { return *std::max_element(lengths.begin(), lengths.end()); }
    int batch() const { return int(lengths.size()); }
    // Where a step of a sequence lies, in rows; packed sequences are the longest first.
    int row(int sequence, int step) const
    {
        if (layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED)
            return sequence * longest() + step;
        if (layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED)
            return step * batch() + sequence;
        int before = 0;
        for (int length : lengths)
            before += std::min(length, step);
        return before + sequence;
    }
    int rows() const
    {
        if (layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
            return longest() * batch();
        int all = 0;
        for (int length : lengths)
            all += length;
        return all;
    }
};

static void close(const Case &c, const char *what, float found, float wanted)
{
    if (!(std::fabs(found - wanted) <= 2e-5f)) {
        std::printf("mode %d, %d directions, layout %d, v8 %d: %s is %g, not %g\n", int(c.mode), c.directions, int(c.layout), int(c.is_v8), what, found, wanted);
        ++failures;
    }
}

static cudnnTensorDescriptor_t three(int a, int b, int c)
{
    const int dims[3] = {a, b, c}, strides[3] = {b * c, c, 1};
    cudnnTensorDescriptor_t d;
    CHECK(cudnnCreateTensorDescriptor(&d));
    CHECK(cudnnSetTensorNdDescriptor(d, CUDNN_DATA_FLOAT, 3, dims, strides));
    return d;
}

static cudnnRNNDataDescriptor_t sequences(const Case &c, int width)
{
    float marker = fill;
    cudnnRNNDataDescriptor_t d;
    CHECK(cudnnCreateRNNDataDescriptor(&d));
    CHECK(cudnnSetRNNDataDescriptor(d, CUDNN_DATA_FLOAT, c.layout, c.longest(), c.batch(), width, c.lengths.data(), &marker));
    return d;
}

// What the passes read, and the results of one.
struct Given {
    Numbers x, w, hx, cx, dy, dhy, dcy, old;
};
struct Results {
    Numbers y, hy, cy, dx, dhx, dcx, dw;
};

static Numbers part(const Numbers &all, int batch, int sequence)
{
    Numbers found;
    for (size_t layer = 0; layer * batch * hidden < all.size(); ++layer)
        for (int u = 0; u < hidden; ++u)
            found.push_back(all[(layer * batch + sequence) * hidden + u]);
    return found;
}

// One sequence by itself, with a descriptor for each step.
static Results alone(const Case &c, cudnnRNNDescriptor_t r, cudnnFilterDescriptor_t wd, const Given &given, int sequence)
{
    const int steps = c.lengths[sequence], width = c.directions * hidden, states = layers * c.directions * hidden;
    std::vector<cudnnTensorDescriptor_t> xd(steps, three(1, input, 1)), yd(steps, three(1, width, 1));
    cudnnTensorDescriptor_t sd = three(layers * c.directions, 1, hidden);
    Numbers x, dy;
    for (int step = 0; step < steps; ++step) {
        const int row = c.row(sequence, step);
        x.insert(x.end(), given.x.begin() + row * input, given.x.begin() + (row + 1) * input);
        dy.insert(dy.end(), given.dy.begin() + row * width, given.dy.begin() + (row + 1) * width);
    }
    size_t space = 0, reserved = 0;
    CHECK(cudnnGetRNNWorkspaceSize(handle, r, steps, xd.data(), &space));
    CHECK(cudnnGetRNNTrainingReserveSize(handle, r, steps, xd.data(), &reserved));
    Array px(x), pw(given.w), hx(part(given.hx, c.batch(), sequence)), cx(part(given.cx, c.batch(), sequence)), pdy(dy), dhy(part(given.dhy, c.batch(), sequence)),
        dcy(part(given.dcy, c.batch(), sequence)), y(Numbers(steps * width)), hy{Numbers(states)}, cy{Numbers(states)}, dx(Numbers(steps * input)), dhx{Numbers(states)},
        dcx{Numbers(states)}, dw(Numbers(given.w.size())), pspace(Numbers(space / 4 + 1)), preserve(Numbers(reserved / 4 + 1));
    CHECK(cudnnRNNForwardTraining(handle, r, steps, xd.data(), px.p, sd, hx.p, sd, cx.p, wd, pw.p, yd.data(), y.p, sd, hy.p, sd, cy.p, pspace.p, space, preserve.p, reserved));
    CHECK(cudnnRNNBackwardData(handle, r, steps, yd.data(), y.p, yd.data(), pdy.p, sd, dhy.p, sd, dcy.p, wd, pw.p, sd, hx.p, sd, cx.p, xd.data(), dx.p, sd, dhx.p, sd, dcx.p,
                               pspace.p, space, preserve.p, reserved));
    CHECK(cudnnRNNBackwardWeights(handle, r, steps, xd.data(), px.p, sd, hx.p, yd.data(), y.p, pspace.p, space, wd, dw.p, preserve.p, reserved));
    return {y.read(), hy.read(), cy.read(), dx.read(), dhx.read(), dcx.read(), dw.read()};
}

static Results together(const Case &c, cudnnRNNDescriptor_t r, cudnnFilterDescriptor_t wd, const Given &given)
{
    const int width = c.directions * hidden, states = layers * c.directions * c.batch() * hidden;
    cudnnRNNDataDescriptor_t xd = sequences(c, input), yd = sequences(c, width);
    cudnnTensorDescriptor_t sd = three(layers * c.directions, c.batch(), hidden);
    size_t space = 0, reserved = 0;
    const size_t weights = given.w.size() * sizeof(float);
    if (c.is_v8) {
        CHECK(cudnnGetRNNTempSpaceSizes(handle, r, CUDNN_FWD_MODE_TRAINING, xd, &space, &reserved));
    } else {
        std::vector<cudnnTensorDescriptor_t> steps(c.longest(), three(c.batch(), input, 1));
        CHECK(cudnnGetRNNWorkspaceSize(handle, r, c.longest(), steps.data(), &space));
        CHECK(cudnnGetRNNTrainingReserveSize(handle, r, c.longest(), steps.data(), &reserved));
    }
    Array x(given.x), w(given.w), hx(given.hx), cx(given.cx), dy(given.dy), dhy(given.dhy), dcy(given.dcy), y(Numbers(c.rows() * width, NAN)), hy{Numbers(states)},
        cy{Numbers(states)}, dx(Numbers(c.rows() * input, NAN)), dhx{Numbers(states)}, dcx{Numbers(states)}, dw(given.old), pspace(Numbers(space / 4 + 1)),
        preserve(Numbers(reserved / 4 + 1));
    if (c.is_v8) {
        CHECK(cudnnRNNForward(handle, r, CUDNN_FWD_MODE_INFERENCE, nullptr, xd, x.p, yd, y.p, sd, hx.p, hy.p, sd, cx.p, cy.p, weights, w.p, space, pspace.p, 0, nullptr));
        const Numbers inferred = y.read();
        CHECK(cudnnRNNForward(handle, r, CUDNN_FWD_MODE_TRAINING, nullptr, xd, x.p, yd, y.p, sd, hx.p, hy.p, sd, cx.p, cy.p, weights, w.p, space, pspace.p, reserved, preserve.p));
        failures += inferred != y.read();
        CHECK(cudnnRNNBackwardData_v8(handle, r, nullptr, yd, y.p, dy.p, xd, dx.p, sd, hx.p, dhy.p, dhx.p, sd, cx.p, dcy.p, dcx.p, weights, w.p, space, pspace.p, reserved,
                                      preserve.p));
        CHECK(cudnnRNNBackwardWeights_v8(handle, r, CUDNN_WGRAD_MODE_ADD, nullptr, xd, x.p, sd, hx.p, yd, y.p, weights, dw.p, space, pspace.p, reserved, preserve.p));
    } else {
        CHECK(cudnnRNNForwardInferenceEx(handle, r, xd, x.p, sd, hx.p, sd, cx.p, wd, w.p, yd, y.p, sd, hy.p, sd, cy.p, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, pspace.p, space));
        const Numbers inferred = y.read();
        CHECK(cudnnRNNForwardTrainingEx(handle, r, xd, x.p, sd, hx.p, sd, cx.p, wd, w.p, yd, y.p, sd, hy.p, sd, cy.p, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                        nullptr, nullptr, pspace.p, space, preserve.p, reserved));
        failures += inferred != y.read();
        CHECK(cudnnRNNBackwardDataEx(handle, r, yd, y.p, yd, dy.p, nullptr, nullptr, sd, dhy.p, sd, dcy.p, wd, w.p, sd, hx.p, sd, cx.p, xd, dx.p, sd, dhx.p, sd, dcx.p, nullptr,
                                     nullptr, pspace.p, space, preserve.p, reserved));
        CHECK(cudnnRNNBackwardWeightsEx(handle, r, xd, x.p, sd, hx.p, yd, y.p, pspace.p, space, wd, dw.p, preserve.p, reserved));
    }
    CHECK(cudnnDestroyRNNDataDescriptor(xd));
    CHECK(cudnnDestroyRNNDataDescriptor(yd));
    return {y.read(), hy.read(), cy.read(), dx.read(), dhx.read(), dcx.read(), dw.read()};
}

// The parameters lie where the calls of cuDNN 7 say.
static void places(const Case &c, cudnnRNNDescriptor_t r, cudnnFilterDescriptor_t wd, const float *w, size_t bytes)
{
    cudnnTensorDescriptor_t row = three(1, input, 1), matrix = three(1, 1, 1), bias = three(1, 1, 1);
    cudnnFilterDescriptor_t old;
    CHECK(cudnnCreateFilterDescriptor(&old));
    for (int layer = 0; layer < layers * c.directions; ++layer)
        for (int gate = 0; gate < (c.mode == CUDNN_LSTM ? 8 : c.mode == CUDNN_GRU ? 6 : 2); ++gate) {
            void *m = nullptr, *b = nullptr, *place = nullptr;
            CHECK(cudnnGetRNNWeightParams(handle, r, layer, bytes, w, gate, matrix, &m, bias, &b));
            CHECK(cudnnGetRNNLinLayerMatrixParams(handle, r, layer, row, wd, w, gate, old, &place));
            failures += place != m;
            CHECK(cudnnGetRNNLinLayerBiasParams(handle, r, layer, row, wd, w, gate, old, &place));
            failures += place != b;
        }
    CHECK(cudnnDestroyFilterDescriptor(old));
}

static void compare(const Case &c)
{
    cudnnDropoutDescriptor_t dropout;
    CHECK(cudnnCreateDropoutDescriptor(&dropout));
    size_t bytes = 0;
    CHECK(cudnnDropoutGetStatesSize(handle, &bytes));
    Array drawn(Numbers(bytes / 4));
    CHECK(cudnnSetDropoutDescriptor(dropout, handle, 0, drawn.p, bytes, 1234));
    cudnnRNNDescriptor_t r;
    CHECK(cudnnCreateRNNDescriptor(&r));
    const cudnnDirectionMode_t direction = c.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL;
    if (c.is_v8) {
        CHECK(cudnnSetRNNDescriptor_v8(r, CUDNN_RNN_ALGO_STANDARD, c.mode, CUDNN_RNN_DOUBLE_BIAS, direction, CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT,
                                       CUDNN_DEFAULT_MATH, input, hidden, hidden, layers, dropout, 0));
        CHECK(cudnnGetRNNWeightSpaceSize(handle, r, &bytes));
    } else {
        cudnnTensorDescriptor_t row = three(1, input, 1);
        CHECK(cudnnSetRNNDescriptor_v6(handle, r, hidden, layers, dropout, CUDNN_LINEAR_INPUT, direction, c.mode, CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT));
        CHECK(cudnnRNNSetClip(handle, r, CUDNN_RNN_CLIP_NONE, CUDNN_NOT_PROPAGATE_NAN, 0.0, 0.0));
        failures += cudnnRNNSetClip(handle, r, CUDNN_RNN_CLIP_MINMAX, CUDNN_NOT_PROPAGATE_NAN, -1.0, 1.0) == CUDNN_STATUS_SUCCESS;
        CHECK(cudnnGetRNNParamsSize(handle, r, row, &bytes, CUDNN_DATA_FLOAT));
    }
    const int parameters = int(bytes / 4), dims[3] = {parameters, 1, 1}, width = c.directions * hidden, states = layers * c.directions * c.batch() * hidden;
    cudnnFilterDescriptor_t wd;
    CHECK(cudnnCreateFilterDescriptor(&wd));
    CHECK(cudnnSetFilterNdDescriptor(wd, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 3, dims));
    const Given given{noise(c.rows() * input, 41), noise(parameters, 42, 0.7f), noise(states, 43), noise(states, 44), noise(c.rows() * width, 45), noise(states, 46),
                      noise(states, 47), noise(parameters, 48)};
    if (c.is_v8)
        places(c, r, wd, given.w.data(), bytes);
    const Results all = together(c, r, wd, given);
    Numbers dw = given.old;
    for (int sequence = 0; sequence < c.batch(); ++sequence) {
        const Results one = alone(c, r, wd, given, sequence);
        for (int step = 0; step < c.longest(); ++step) {
            const bool is_there = step < c.lengths[sequence];
            if (!is_there && c.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
                continue;
            for (int u = 0; u < width; ++u)
                close(c, is_there ? "y" : "what is no sequence", all.y[c.row(sequence, step) * width + u], is_there ? one.y[step * width + u] : fill);
            for (int u = 0; is_there && u < input; ++u)
                close(c, "dx", all.dx[c.row(sequence, step) * input + u], one.dx[step * input + u]);
        }
        const std::pair<const Numbers *, const Numbers *> of_states[] = {{&all.hy, &one.hy}, {&all.dhx, &one.dhx}, {&all.cy, &one.cy}, {&all.dcx, &one.dcx}};
        for (int which = 0; which < (c.mode == CUDNN_LSTM ? 4 : 2); ++which) {
            const Numbers own = part(*of_states[which].first, c.batch(), sequence);
            for (size_t u = 0; u < own.size(); ++u)
                close(c, "a state", own[u], (*of_states[which].second)[u]);
        }
        for (int at = 0; at < parameters; ++at)
            dw[at] += one.dw[at];
    }
    for (int at = 0; at < parameters; ++at)
        close(c, "dw", all.dw[at], dw[at]);
    CHECK(cudnnDestroyRNNDescriptor(r));
    CHECK(cudnnDestroyFilterDescriptor(wd));
    CHECK(cudnnDestroyDropoutDescriptor(dropout));
}

int main()
{
    CHECK(cudnnCreate(&handle));
    const cudnnRNNMode_t modes[] = {CUDNN_LSTM, CUDNN_GRU, CUDNN_RNN_TANH};
    for (cudnnRNNMode_t mode : modes)
        for (int directions = 1; directions <= 2; ++directions)
            for (int is_v8 = 0; is_v8 <= 1; ++is_v8) {
                compare({mode, directions, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED, {2, 4, 1}, is_v8 == 1});
                compare({mode, directions, CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, {2, 4, 1}, is_v8 == 1});
                compare({mode, directions, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, {4, 2, 1}, is_v8 == 1});
            }
    CHECK(cudnnDestroy(handle));
    std::printf(failures ? "FAILED\n" : "ok\n");
    return failures != 0;
}
