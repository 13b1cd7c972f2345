/* Marks in two tables, at the remainder of a hash by one's length and at what a mask leaves of it. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long);
extern void free(void *);

static unsigned hash(unsigned key) {
    return key * 31u ^ key >> 7;
}

void test(void) {
    unsigned length = __VERIFIER_nondet_uint(), mask = __VERIFIER_nondet_uint();
    if (length == 0 || length > 1000 || mask > 1000)
        return;
    char *by_remainder = malloc(length);
    char *by_mask = malloc(mask + 1);
    if (by_remainder && by_mask)
        while (__VERIFIER_nondet_int()) {
            unsigned key = __VERIFIER_nondet_uint();
            by_remainder[hash(key) % length] = 1;
            by_mask[hash(key) & mask] = 1;
            by_mask[mask >> key % 32] = 1;
        }
    free(by_remainder);
    free(by_mask);
}
