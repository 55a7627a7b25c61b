__device__ unsigned vote(cg::thread_block_tile<32> &tile, int v)
{
    unsigned r = tile.ballot(v > 0);
    if (tile.any(v) && !tile.all(v == 2))
        r += tile.match_any(v);
    return r + tile.num_threads();
}

template <typename Group>
__device__ unsigned generic(const Group &group, int v)
{
    return group.ballot(v)