/* A register of at most eight numbers, each of which is kept once: what was entered is found, with the value that it was entered with last. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 8

struct entry {
    int name, value;
};

static struct entry entries[CAPACITY];
static int count;

/* Where the name is; -1 if it is nowhere. */
static int find(int name) {
    for (int i = 0; i < count; i++)
        if (entries[i].name == name)
            return i;
    return -1;
}

/* Is there room for the name, if it is a new one? */
static int enter(int name, int value) {
    int place = find(name);
    if (place < 0) {
        if (count == CAPACITY)
            return 0;
        place = count++;
        entries[place].name = name;
    }
    entries[place].value = value;
    return 1;
}

int test(void) {
    while (__VERIFIER_nondet_int()) {
        int name = __VERIFIER_nondet_int();
        int value = __VERIFIER_nondet_int();
        if (enter(name, value)) {
            int place = find(name);
            __VERIFIER_assert(0 <= place && place < count);
            __VERIFIER_assert(entries[place].value == value);
        }
    }
    return 0;
}
