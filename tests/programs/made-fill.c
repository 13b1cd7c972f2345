/* What was filled with a constant holds it: nothing is drawn in the loops, so that a smaller run is one with fewer rounds. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

int test(void) {
    unsigned size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size < 1000);
    char *text = malloc(size);
    if (!text)
        return 0;
    for (unsigned i = 0; i < size; i++)
        text[i] = 'x';
    for (unsigned i = 0; i < size; i++)
        __VERIFIER_assert(text[i] == 'x');
    free(text);
    return 0;
}
