/* A string that the program makes itself, of any length: it ends where the first zero is, before which there is none. */
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
    __VERIFIER_assume(size > 0 && size < 1000);
    char *text = malloc(size);
    if (!text)
        return 0;
    for (unsigned i = 0; i < size; i++)
        text[i] = __VERIFIER_nondet_char();
    text[size / 2] = 1;
    char *end = text;
    while (*end)
        end++;
    __VERIFIER_assert(end < text + size);
    for (char *at = text; at < end; at++)
        __VERIFIER_assert(*at != 0);
    free(text);
    return 0;
}
