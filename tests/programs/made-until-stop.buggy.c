/* An array that is filled until a nondeterministic value stops it. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    int room = __VERIFIER_nondet_int();
    __VERIFIER_assume(room > 0 && room < 1000);
    int *values = malloc(room * sizeof *values);
    if (!values)
        return 0;
    int count = 0;
    while (count < room) {
        int value = __VERIFIER_nondet_int();
        if (value == 1)
            break;
        values[count++] = value;
    }
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(values[i] != 0);
    free(values);
    return 0;
}
