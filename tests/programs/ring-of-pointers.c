// A ring buffer whose pointers into an array are set before the program begins.
static char bytes[8];
static struct ring {
    char *begin, *end, *next;
} ring = {bytes, bytes + 8, &bytes[4]};

static void put(struct ring *to, char byte) {
    *to->next++ = byte;
    if (to->next == to->end)
        to->next = to->begin;
}

struct text {
    const char *s;
    unsigned n_s;
};

void test(struct text text) {
    for (unsigned i = 0; i < text.n_s; i++)
        put(&ring, text.s[i]);
}
