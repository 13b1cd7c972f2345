/* Another allocation for one that ends (C11 7.22.3.5). What is in it is any value, which is more than C allows: the elements that were there stay. For no
 * bytes the old one may end with or without a new one, as C libraries differ. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_ignore(void);
void *realloc(void *old, unsigned long n)
{
    if (n == 0 && __VERIFIER_nondet_bool()) {
        __builtin_free(old);
        return (void *)0;
    }
    void *fresh = __builtin_malloc(n);
    if (fresh == (void *)0) {
        /* The old one has to be an allocation whether there is a new one or not; it stays. */
        if (__VERIFIER_nondet_bool()) {
            __builtin_free(old);
            __VERIFIER_ignore();
        }
        return (void *)0;
    }
    __builtin_free(old);
    return fresh;
}
