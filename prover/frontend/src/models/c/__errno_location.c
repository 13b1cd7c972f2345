/* errno (C11 7.5), as a part of the program's memory. Library functions that may set it, and of which C does not say to what, set it to anything. */
extern int __VERIFIER_nondet_int(void);
int *__errno_location(void)
{
    static int number;
    return &number;
}
static void __errno_any(void)
{
    *__errno_location() = __VERIFIER_nondet_int();
}
static void *__errno_malloc(unsigned long n)
{
    __errno_any();
    return __builtin_malloc(n);
}
static void *__errno_calloc(unsigned long count, unsigned long n)
{
    __errno_any();
    return __builtin_calloc(count, n);
}
