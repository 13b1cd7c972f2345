/* How many bits of a word are set, one after the other: as many as there were rounds at most. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);

static int ones(unsigned word) {
    int count = 0;
    for (int i = 0; i < 32; i++)
        count += (word >> i) & 1;
    return count;
}

void test(void) {
    unsigned word = __VERIFIER_nondet_uint();
    int count = ones(word);
    __VERIFIER_assert(count >= 0 && count <= 31);
}
