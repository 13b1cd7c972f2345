/* A set of numbers below a limit that is drawn, with a bit for each: no number is looked for in a word that is not there. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

struct set {
    unsigned limit;
    unsigned *words;
};

static int is_in(const struct set *set, unsigned number) {
    return number < set->limit && (set->words[number / 32] >> (number % 32) & 1);
}

static void add(struct set *set, unsigned number) {
    if (number < set->limit)
        set->words[number / 32] |= 1u << (number % 32);
}

void test(void) {
    struct set set = {__VERIFIER_nondet_uint(), NULL};
    if (set.limit > 10000)
        return;
    set.words = calloc(set.limit / 32, sizeof *set.words);
    if (!set.words)
        return;
    while (__VERIFIER_nondet_uint() % 4 != 0)
        add(&set, __VERIFIER_nondet_uint());
    int count = 0;
    for (unsigned number = 0; number < set.limit; number++)
        count += is_in(&set, number);
    __VERIFIER_assert(count >= 0 && count <= (int)set.limit);
    free(set.words);
}
