/* Writes what waits to be written (C11 7.21.5.2). */
extern _Bool __VERIFIER_nondet_bool(void);
int fflush(void *stream)
{
    if (stream == (void *)0)
        return __VERIFIER_nondet_bool() ? 0 : -1;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}
