/* Samples of a buffer. A part of watch.c. */

static u64 mix(u64 hash, u64 word, u64 factor) {
    hash = (hash ^ word) * factor;
    return hash ^ (hash >> 29);
}

static void sum(double *sums, double value) {
    double size = value < 0 ? -value : value;
    if (size < 1e30) { sums[0] += value; sums[1] += size; }
}

static void digest(struct copy *copy, const unsigned char *bytes, u64 count) {
    u64 words = count / 8, samples = words < SAMPLES ? words : SAMPLES, blocks = words < BLOCKS ? words : BLOCKS;
    u64 first = 0, next = 0;
    copy->bytes = count;
    copy->constant = 1;
    copy->samples = samples;
    copy->blocks = blocks;
    copy->hash[0] = 0x9e3779b97f4a7c15UL ^ count;
    copy->hash[1] = 0xd6e8feb86659fd93UL;
    for (u64 i = 0; i < words; i++) {
        u64 word;
        float half[2];
        double whole;
        memcpy(&word, bytes + 8 * i, 8);
        memcpy(half, &word, 8);
        memcpy(&whole, &word, 8);
        copy->hash[0] = mix(copy->hash[0], word, 0xff51afd7ed558ccdUL);
        copy->hash[1] = mix(copy->hash[1], word, 0xc4ceb9fe1a85ec53UL);
        if (next < samples && i == next * words / samples) { copy->sample[next++] = word; }
        double *sums = copy->sum[i * blocks / words];
        sum(sums, half[0]);
        sum(sums, half[1]);
        sum(sums + 2, whole);
        if (i == 0) { first = word; }
        copy->constant &= word == first;
    }
    for (u64 i = words * 8; i < count; i++) {
        copy->hash[0] = mix(copy->hash[0], bytes[i], 0xff51afd7ed558ccdUL);
        copy->hash[1] = mix(copy->hash[1], bytes[i], 0xc4ceb9fe1a85ec53UL);
    }
}

static void took(const void *bytes, u64 count) {
    begin();
    static struct copy copy;
    lock();
    if (bytes && count && seen->copies < MOST_COPIES && copies_file >= 0) {
        struct copy empty = {0};
        copy = empty;
        digest(&copy, bytes, count);
        if (write(copies_file, &copy, sizeof copy) != sizeof copy) { close(copies_file); copies_file = -1; }
    }
    seen->copies++;
    unlock();
}
