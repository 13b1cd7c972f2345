/* Control characters are written as two: room for twice as many is enough. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void *malloc(unsigned long);
extern void free(void *);

void test(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0 || length > 1000)
        return;
    char *written = malloc(2 * length + 1);
    if (!written)
        return;
    int used = 0;
    for (int i = 0; i < length; i++) {
        char c = __VERIFIER_nondet_int();
        if (c < ' ')
            written[used++] = '\\';
        written[used++] = c;
        __VERIFIER_assert(used > i);
    }
    written[used] = 0;
    free(written);
}
