// name: cass_exact_sign
// provides: cass_exact_sign
// replaces:
// requires: cass_opaque
// includes: cmath
// summary: Sign of a * b + c - r for finite doubles, found without any rounding error, whatever their size.
// source: J. R. Shewchuk 1997, Adaptive precision floating-point arithmetic (grow-expansion)

// Adds `term` to a sum held as parts that do not overlap, smallest first (Shewchuk's grow-expansion).
__host__ __device__ inline void cass_grow_expansion(double* parts, int count, double term)
{
    #pragma clang fp contract(off) reassociate(off)
    for (int i = 0; i < count; ++i) {
        double sum = term + parts[i];
        double other = sum - term;
        parts[i] = (term - (sum - other)) + (parts[i] - other);
        term = sum;
    }
    parts[count] = term;
}

__host__ __device__ inline int cass_exact_sign(double a, double b, double c, double r)
{
    #pragma clang fp contract(off) reassociate(off)
    int a_exponent, b_exponent, c_exponent;
    double a_part = ::frexp(a, &a_exponent), b_part = ::frexp(b, &b_exponent);
    double high = cass_opaque(a_part * b_part);
    if (high == 0.0)
        return (c > r) - (c < r);
    int scale = a_exponent + b_exponent;
    double c_part = ::frexp(c, &c_exponent);
    // Beside a far larger c the product only matters if c and r are equal; a far smaller c only as a sign.
    if (c != 0.0 && c_exponent - scale > 900)
        return c == r ? (high > 0.0) - (high < 0.0) : (c > r) - (c < r);
    double c_scaled = ::ldexp(c_part, c_exponent - scale < -900 ? -900 : c_exponent - scale);
    double parts[4] = {::fma(a_part, b_part, -high), high};
    cass_grow_expansion(parts, 2, c_scaled);
    cass_grow_expansion(parts, 3, -::ldexp(r, -scale));
    for (int i = 3; i >= 0; --i)
        if (parts[i] != 0.0)
            return parts[i] > 0.0 ? 1 : -1;
    return 0;
}
