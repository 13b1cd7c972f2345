/* Where the last thing of each kind stands in a row: before its end, if there is one. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int condition);

#define MOST 500
#define KINDS 30

int test(void) {
    unsigned char kind[MOST];
    unsigned last[KINDS] = {0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > MOST)
        return 0;
    for (unsigned i = 0; i < n; i++)
        kind[i] = __VERIFIER_nondet_uint() % KINDS;
    for (unsigned i = 0; i < n; i++)
        last[kind[i]] = i;
    for (unsigned k = 0; k < KINDS; k++)
        __VERIFIER_assert(last[k] < n);
    return 0;
}
