// Layers by their formulas, in double and without a thought of speed: what cuDNN's guide says each computes.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Numbers = std::vector<float>;

struct Shape {
    int n, c, h, w;
    int size() const { return n * c * h * w; }
    int at(int i, int k, int y, int x) const { return ((i * c + k) * h + y) * w + x; }
};

// Numbers that look like noise and are the same everywhere.
inline Numbers noise(int count, unsigned seed, float scale = 1.0f)
{
    Numbers all(count);
    unsigned state = seed * 2654435761u + 12345u;
    for (float &one : all) {
        state = state * 1664525u + 1013904223u;
        one = scale * (float(state >> 8) / float(1 << 24) * 2.0f - 1.0f);
    }
    return all;
}

struct Conv {
    int pad, stride, groups;
    Shape out(Shape x, Shape w) const
    {
        return {x.n, w.n, (x.h + 2 * pad - w.h) / stride + 1, (x.w + 2 * pad - w.w) / stride + 1};
    }
    // Calls `visit` with the places of x, w and y that meet.
    template <class F> void each(Shape x, Shape w, F visit) const
    {
        const Shape y = out(x, w);
        for (int n = 0; n < y.n; ++n)
            for (int k = 0; k < y.c; ++k)
                for (int i = 0; i < y.h; ++i)
                    for (int j = 0; j < y.w; ++j)
                        for (int c = 0; c < w.c; ++c)
                            for (int r = 0; r < w.h; ++r)
                                for (int s = 0; s < w.w; ++s) {
                                    const int row = i * stride + r - pad, column = j * stride + s - pad;
                                    if (row < 0 || row >= x.h || column < 0 || column >= x.w)
                                        continue;
                                    visit(x.at(n, k / (w.n / groups) * w.c + c, row, column), w.at(k, c, r, s), y.at(n, k, i, j));
                                }
    }
    Numbers forward(Shape xs, const Numbers &x, Shape ws, const Numbers &w) const
    {
        std::vector<double> y(out(xs, ws).size());
        each(xs, ws, [&](int a, int b, int c) { y[c] += double(x[a]) * w[b]; });
        return Numbers(y.begin(), y.end());
    }
    Numbers data(Shape xs, Shape ws, const Numbers &w, const Numbers &dy) const
    {
        std::vector<double> dx(xs.size());
        each(xs, ws, [&](int a, int b, int c) { dx[a] += double(dy[c]) * w[b]; });
        return Numbers(dx.begin(), dx.end());
    }
    Numbers filter(Shape xs, const Numbers &x, Shape ws, const Numbers &dy) const
    {
        std::vector<double> dw(ws.size());
        each(xs, ws, [&](int a, int b, int c) { dw[b] += double(dy[c]) * x[a]; });
        return Numbers(dw.begin(), dw.end());
    }
};

// Each place of y with the place of its maximum in x.
struct MaxPool {
    int window, pad, stride;
    Shape out(Shape x) const
    {
        return {x.n, x.c, (x.h + 2 * pad - window) / stride + 1, (x.w + 2 * pad - window) / stride + 1};
    }
    std::vector<int> places(Shape xs, const Numbers &x) const
    {
        const Shape ys = out(xs);
        std::vector<int> all(ys.size());
        for (int n = 0; n < ys.n; ++n)
            for (int c = 0; c < ys.c; ++c)
                for (int i = 0; i < ys.h; ++i)
                    for (int j = 0; j < ys.w; ++j) {
                        int best = -1;
                        for (int r = 0; r < window; ++r)
                            for (int s = 0; s < window; ++s) {
                                const int row = i * stride + r - pad, column = j * stride + s - pad;
                                if (row < 0 || row >= xs.h || column < 0 || column >= xs.w)
                                    continue;
                                const int at = xs.at(n, c, row, column);
                                if (best < 0 || x[at] > x[best])
                                    best = at;
                            }
                        all[ys.at(n, c, i, j)] = best;
                    }
        return all;
    }
};

static int failures = 0;

inline void near(const char *what, const Numbers &got, const Numbers &wanted, float bound = 2e-5f)
{
    for (size_t i = 0; i < wanted.size() || got.size() != wanted.size(); ++i)
        if (got.size() != wanted.size() || !(std::fabs(got[i] - wanted[i]) <= bound * (1.0f + std::fabs(wanted[i])))) {
            std::printf("%s: element %zu is %g and should be %g\n", what, i, i < got.size() ? got[i] : NAN, i < wanted.size() ? wanted[i] : NAN);
            ++failures;
            return;
        }
}

inline Numbers blended(float alpha, const Numbers &value, float beta, const Numbers &old)
{
    Numbers all(value.size());
    for (size_t i = 0; i < all.size(); ++i)
        all[i] = alpha * value[i] + (beta == 0.0f ? 0.0f : beta * old[i]);
    return all;
}
