/* Packed bit-fields lie side by side, whichever bytes they begin and end in. */

extern void __VERIFIER_assert(int condition);

struct __attribute__((packed)) header {
    unsigned version : 4;
    unsigned length : 13;
    int shift : 20;
    unsigned flags : 3;
    char last;
};

static void raise_flags(struct header *header) {
    if (header->flags < 7)
        header->flags++;
}

void test(int steps) {
    struct header header = {5, 8190, 0, 3, 'z'};
    const unsigned char *bytes = (const unsigned char *)&header;
    __VERIFIER_assert(sizeof header == 6);
    header.length++;
    header.shift = -77777;
    for (int i = 0; i < steps; i++)
        raise_flags(&header);
    __VERIFIER_assert(header.version == 5 && header.length == 8191 && header.shift == -77777 && header.last == 'z');
    __VERIFIER_assert((bytes[0] & 15) == 5 && bytes[1] == 255 && bytes[4] >> 5 >= 3);
}
