/* A table of handlers is cleared as a whole, and nobody is called then. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_assume(int);
extern void *memset(void *to, int byte, unsigned long size);

enum { PLACES = 3 };

static void clear(int *table[PLACES]) {
    memset(table, 0, PLACES * sizeof table[0]);
}

void test(void) {
    int one = 1, two = 2;
    int *table[PLACES] = {&one, 0, &two};
    clear(table);
    int place = __VERIFIER_nondet_int();
    __VERIFIER_assume(place >= 0 && place < PLACES);
    __VERIFIER_assert(!table[0] && !table[1] && !table[2]);
    table[place] = &two;
    __VERIFIER_assert(!table[0] || *table[0] == 2);
}
