/* Writes a character, which is the result, or -1 (C11 7.21.7.3). */
extern _Bool __VERIFIER_nondet_bool(void);
int fputc(int c, void *stream)
{
    int written = (unsigned char)c;
    if (stream == (void *)0)
        __builtin_unreachable();
    return __VERIFIER_nondet_bool() ? written : -1;
}
