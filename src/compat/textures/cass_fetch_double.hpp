// name: cass_fetch_double
// provides: cass_tex1Dfetch_double
// replaces:
// summary: Double from a one-dimensional texture of int2 elements, the low word first.
// source: CUDA C++ Programming Guide 13.0, texture functions (no texture of doubles)
// nvidia: same

// A template, so that chips without textures can read the header.
template <typename CassTexture>
__device__ inline double cass_tex1Dfetch_double(CassTexture texture, int index)
{
    int2 words = tex1Dfetch<int2>(texture, index);
    return __hiloint2double(words.y, words.x);
}
