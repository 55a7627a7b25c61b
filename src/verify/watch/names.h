/* Names of kernels by what launches name them with. A part of watch.c. */

#define FUNCTIONS 8192
static struct { const void *function; const char *name; } functions[FUNCTIONS];
static char names[1 << 18];
static u64 names_used;

static u64 place(const void *function) { return ((u64)function >> 4) * 0x9e3779b97f4a7c15UL >> 51; }

static void named(const void *function, const char *name, int is_kept) {
    lock();
    size_t length = strlen(name) + 1;
    if (!is_kept && names_used + length <= sizeof names) {
        name = memcpy(names + names_used, name, length);
        names_used += length;
    } else if (!is_kept) {
        name = "?";
    }
    for (u64 i = 0, at = place(function); i < FUNCTIONS; i++, at = (at + 1) % FUNCTIONS) {
        if (!functions[at].function || functions[at].function == function) {
            functions[at].function = function;
            functions[at].name = name;
            break;
        }
    }
    unlock();
}

static const char *name_of(const void *function) {
    for (u64 i = 0, at = place(function); i < FUNCTIONS && functions[at].function; i++, at = (at + 1) % FUNCTIONS) {
        if (functions[at].function == function) { return functions[at].name; }
    }
    return NULL;
}
