/* The buggy twin of handlers-without-prototype.c: what is negated is not. */

extern void __VERIFIER_assert(int condition);

struct entry {
    int key;
    int (*handle)();
};

static int twice(int value) {
    return value * 2;
}

static int negated(int value) {
    return value;
}

static int nothing(void) {
    return 0;
}

static int handled(struct entry *entry, int key, short value) {
    return entry->key == key ? entry->handle(value) : 0;
}

void test(int key, short value) {
    struct entry entries[3] = {{1, twice}, {2, negated}, {3, nothing}};
    int sum = handled(&entries[0], key, value) + handled(&entries[1], key, value);
    if (key == 3)
        sum = entries[2].handle();
    __VERIFIER_assert(key == 1 ? sum == 2 * value : key == 2 ? sum == -value : sum == 0);
}
