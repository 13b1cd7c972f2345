/* Writes a character, which is the result, or -1 (C11 7.21.7.8). */
extern _Bool __VERIFIER_nondet_bool(void);
int putchar(int c)
{
    int written = (unsigned char)c;
    return __VERIFIER_nondet_bool() ? written : -1;
}
