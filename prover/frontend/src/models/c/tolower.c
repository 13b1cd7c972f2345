/* The small letter of a capital letter in the C locale; other values stay (C11 7.4.2.1). Other than unsigned characters and EOF is undefined; from -128 on, plain characters, it gives any value. */
extern int __VERIFIER_nondet_int(void);
int tolower(int c)
{
    if (c < -128 || c > 255)
        __builtin_unreachable();
    if (c < -1)
        return __VERIFIER_nondet_int();
    if (c >= 'A' && c <= 'Z')
        return c + ('a' - 'A');
    return c;
}
