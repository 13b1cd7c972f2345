/* Every element of an array that calloc has made is zero. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 10000)
        return 0;
    int *values = calloc(count, sizeof(int));
    if (!values)
        return 0;
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(values[i] == 0);
    free(values);
    return 0;
}
