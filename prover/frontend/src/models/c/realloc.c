/* Another allocation for one that ends (C11 7.22.3.5), with the elements that were there, where it is known how many they were: else what is in it is any
 * value, which is more than C allows. For no bytes the old one may end with or without a new one, as C libraries differ. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_ignore(void);
extern unsigned long malloc_usable_size(void *memory);
/* Known to the front end. This is what it does where models are compiled. */
static void __goatherd_replace(char *to, char *from, unsigned long n)
{
    unsigned long size = from == (void *)0 ? 0 : malloc_usable_size(from);
    for (unsigned long i = 0; i < n && i < size; i++)
        to[i] = from[i];
    __builtin_free(from);
}
void *realloc(void *old, unsigned long n)
{
    if (n == 0 && __VERIFIER_nondet_bool()) {
        __builtin_free(old);
        return (void *)0;
    }
    void *fresh = __builtin_malloc(n);
    /* The old one has to be an allocation whether there is a new one or not; it may stay. */
    if (__VERIFIER_nondet_bool()) {
        __builtin_free(old);
        __VERIFIER_ignore();
    }
    if (fresh != (void *)0)
        __goatherd_replace(fresh, old, n);
    return fresh;
}
