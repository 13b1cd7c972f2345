/* bsearch (C11 7.22.5.1), whatever it does: any elements are compared with the key, and one that equals it may be found. That one is found if there
 * is one is not said, since that wants an array that is sorted. */
typedef char __element;
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) static void *__bsearch_of_elements(const void *key, __element *base, unsigned long n, int (*compare)(const void *, const void *))
{
    while (n > 0 && __VERIFIER_nondet_bool()) {
        unsigned long i = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(i < n);
        if (compare(key, base + i) == 0 && __VERIFIER_nondet_bool())
            return base + i;
    }
    return (void *)0;
}
