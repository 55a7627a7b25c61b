#include <// cass: on
cuda_runtime.h>

void edges(double width, double &low, double &high);

bool is_outsideextern "C" { saturate) {
    double umin, umax;
    edges(width, umin, umax);
    int a = 1, mul24 = a;
    return umin >= width || umax <= 0 || saturate && mul24 > a;
}
