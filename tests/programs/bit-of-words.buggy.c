/* A bit that is set in one of two words is read again, and not that one is cleared. */

extern void __VERIFIER_assert(int condition);

struct set {
    unsigned words[2];
};

static void put(struct set *set, unsigned bit) {
    set->words[bit >> 5] |= 1u << (bit & 31);
}

static void take(struct set *set, unsigned bit) {
    set->words[bit >> 5] &= ~(1u << (bit & 1));
}

static int has(const struct set *set, unsigned bit) {
    return (set->words[bit >> 5] >> (bit & 31)) & 1;
}

void test(unsigned bit) {
    struct set set = {{0}};
    if (bit >= 64)
        return;
    put(&set, bit);
    __VERIFIER_assert(has(&set, bit));
    take(&set, bit);
    __VERIFIER_assert(!has(&set, bit));
}
