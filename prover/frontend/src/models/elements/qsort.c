/* qsort (C11 7.22.5.2), whatever it does: any pairs are compared, and any are exchanged. That the array is sorted is not said, since that wants a
 * comparison which is consistent. */
typedef char __element;
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
__attribute__((nonnull)) static void __qsort_of_elements(__element *base, unsigned long n, int (*compare)(const void *, const void *))
{
    if (n == 0)
        return;
    /* All of them have to be there, also if there is nothing to compare. */
    __element kept = base[n - 1];
    while (n > 1 && __VERIFIER_nondet_bool()) {
        unsigned long i = __VERIFIER_nondet_ulong();
        unsigned long j = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(i < n && j < n && i != j);
        compare(base + i, base + j);
        if (__VERIFIER_nondet_bool()) {
            kept = base[i];
            base[i] = base[j];
            base[j] = kept;
        }
    }
}
