/* An array of any length that the program makes and copies: the copy is equal. */
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
    int *values = malloc(count * sizeof(int));
    int *copy = malloc(count * sizeof(int));
    if (!values || !copy)
        return 0;
    for (int i = 0; i < count; i++)
        values[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++)
        copy[i] = values[i] == 4 ? 5 : values[i];
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(copy[i] == values[i]);
    free(values);
    free(copy);
    return 0;
}
