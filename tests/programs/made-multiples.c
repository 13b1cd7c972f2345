/* An array of any length that the program makes, whose elements follow from their indices. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);

int test(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 1000)
        return 0;
    int *values = malloc(count * sizeof(int));
    if (!values)
        return 0;
    for (int i = 0; i < count; i++)
        values[i] = 2 * i;
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(values[i] == 2 * i);
    free(values);
    return 0;
}
