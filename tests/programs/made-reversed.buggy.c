/* An array of any length that the program makes and copies from its end: each element is where its index says. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void free(void *block);

int test(void) {
    int count = __VERIFIER_nondet_int();
    if (count <= 0 || count > 4096)
        return 0;
    int *values = malloc(count * sizeof(int));
    int *reversed = malloc(count * sizeof(int));
    if (values && reversed) {
        for (int i = 0; i < count; i++)
            values[i] = __VERIFIER_nondet_int();
        for (int i = 0; i < count; i++)
            reversed[count - 1 - i / 2] = values[i];
        for (int i = 0; i < count; i++)
            __VERIFIER_assert(reversed[i] == values[count - 1 - i]);
    }
    free(values);
    free(reversed);
    return 0;
}
