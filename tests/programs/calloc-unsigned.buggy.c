/* calloc converts the number of elements, which is no size_t here, before it multiplies. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    unsigned count = __VERIFIER_nondet_uint();
    __VERIFIER_assume(count < 1000);
    int *values = calloc(count, sizeof(int));
    char *bytes = calloc(count, 1);
    if (!values || !bytes)
        return 0;
    for (unsigned i = 0; i <= count; i++)
        values[i] = bytes[i];
    free(values);
    free(bytes);
    return 0;
}
