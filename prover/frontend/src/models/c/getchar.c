/* The next character of the input, which is any, or -1 (C11 7.21.7.6). */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
int getchar(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    return __VERIFIER_nondet_bool() ? c : -1;
}
