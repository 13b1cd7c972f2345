/* Any number of counters that begin at zero: each is raised by seven. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 1000)
        return 0;
    int *counters = calloc(count, sizeof(int));
    if (!counters)
        return 0;
    for (int i = 0; i < count; i++)
        counters[i] += 7;
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(counters[i] == 7);
    free(counters);
    return 0;
}
