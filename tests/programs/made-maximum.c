/* An array of variable length that the program fills: no element is above the maximum. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count > 0 && count < 1000);
    int values[count];
    for (int i = 0; i < count; i++)
        values[i] = __VERIFIER_nondet_int();
    int maximum = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > maximum)
            maximum = values[i];
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(values[i] <= maximum);
    return 0;
}
