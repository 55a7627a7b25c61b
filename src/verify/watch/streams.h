/* Streams: what was launched on each, and waited for. A part of watch.c. */

#define STREAMS 64
#define PENDING 256
#define EVENTS 256

struct stream { void *name; u64 last, joined; int used, independent; };
struct pending { void *bytes; u64 count; void *stream; int used; };
struct event { void *name, *stream; u64 begin, unjoined; };

static struct stream streams[STREAMS];
static struct pending pending[PENDING];
static struct event events[EVENTS];
static u64 sequence, next_event;
THREAD u64 at_clock;
THREAD int has_clock, has_launched;

static struct stream *stream_of(void *name) {
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].used && streams[i].name == name) { return &streams[i]; }
    }
    for (int i = 0; i < STREAMS; i++) {
        if (!streams[i].used) {
            streams[i].used = 1;
            streams[i].name = name;
            return &streams[i];
        }
    }
    return &streams[STREAMS - 1];
}

static struct event *event_of(void *name) {
    for (int i = 0; i < EVENTS; i++) {
        if (events[i].name == name && name) { return &events[i]; }
    }
    return NULL;
}

static void launched(const char *name, void *stream, u64 threads, int error) {
    begin();
    lock();
    has_launched = 1;
    if (error) { seen->failed++; unlock(); return; }
    seen->launches++;
    stream_of(stream)->last = ++sequence;
    if (!name) { name = "?"; }
    u64 i = 0;
    while (i < seen->kernels && strcmp(seen->kernel[i].name, name)) { i++; }
    size_t length = strlen(name);
    if (i == seen->kernels && i < KERNELS && length < NAME) {
        memcpy(seen->kernel[i].name, name, length + 1);
        seen->kernels++;
    }
    if (i < seen->kernels) {
        seen->kernel[i].launches++;
        seen->kernel[i].threads += threads;
    }
    unlock();
}

/* Copies that have arrived are looked at. `all`: the whole device was waited for. */
static void waited(void *stream, int all) {
    struct pending ready;
    lock();
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].used && (all || streams[i].name == stream)) { streams[i].joined = streams[i].last; }
    }
    for (int i = 0; i < PENDING; i++) {
        if (!pending[i].used || !(all || pending[i].stream == stream)) { continue; }
        ready = pending[i];
        pending[i].used = 0;
        seen->unwaited--;
        unlock();
        took(ready.bytes, ready.count);
        lock();
    }
    unlock();
}

static void copied(void *bytes, u64 count, void *stream, int is_async, int error) {
    if (error) { return; }
    begin();
    if (!is_async) {
        waited(stream, stream == NULL);
        took(bytes, count);
        return;
    }
    lock();
    int slot = -1;
    for (int i = 0; i < PENDING && slot < 0; i++) {
        if (!pending[i].used) { slot = i; }
    }
    if (slot >= 0) {
        struct pending item = {bytes, count, stream, 1};
        pending[slot] = item;
        seen->unwaited++;
    }
    unlock();
}

static void recorded(void *event, void *stream) {
    begin();
    lock();
    struct event *entry = event_of(event);
    if (!entry) { entry = &events[next_event++ % EVENTS]; }
    struct stream *own = stream_of(stream);
    struct event item = {event, stream, sequence, 0};
    for (int i = 0; i < STREAMS; i++) {
        struct stream *other = &streams[i];
        /* The default stream and blocking streams wait for each other. */
        int waits = (stream == NULL && !other->independent) || (other->name == NULL && !own->independent);
        if (other->used && other != own && !waits && other->last > other->joined && other->last > item.unjoined) {
            item.unjoined = other->last;
        }
    }
    *entry = item;
    unlock();
}

static void joined(void *event) {
    lock();
    struct event *entry = event_of(event);
    if (entry) {
        struct stream *other = stream_of(entry->stream);
        other->joined = other->last;
    }
    unlock();
}

static void event_waited(void *event) {
    lock();
    struct event *entry = event_of(event);
    void *stream = entry ? entry->stream : NULL;
    unlock();
    if (entry) { waited(stream, 0); }
}

static void elapsed(void *start, void *stop) {
    lock();
    struct event *a = event_of(start), *b = event_of(stop);
    if (a && b && b->unjoined > a->begin) { seen->hidden++; }
    unlock();
}

static void created(void *stream, u32 flags) {
    lock();
    struct stream *entry = stream_of(stream);
    struct stream item = {stream, 0, 0, 1, flags & 1};
    *entry = item;
    unlock();
}

static void counted(int error, int count) {
    if (error || count == 0) {
        begin();
        add(&seen->no_device, 1);
    }
}
