/* An array of structs that the program makes: both members of each are equal. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void free(void *block);

struct pair {
    int left, right;
};

int test(void) {
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count > 0 && count < 1000);
    struct pair *pairs = malloc(count * sizeof *pairs);
    if (!pairs)
        return 0;
    for (int i = 0; i < count; i++) {
        pairs[i].left = __VERIFIER_nondet_int();
        pairs[i].right = pairs[i].left;
    }
    for (int i = 0; i < count; i++)
        __VERIFIER_assert(pairs[i].left == pairs[i].right);
    free(pairs);
    return 0;
}
