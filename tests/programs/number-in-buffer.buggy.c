/* A number at the beginning of a buffer of constant size: its digits end before the terminator in the last element. */
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assert(int condition);

static int parse(const char *s, int *any) {
    int value = 0;
    *any = 0;
    while (*s >= '0' && *s <= '9') {
        if (value > 99999999)
            return 0;
        value = value * 10 + (*s - '0');
        *any = 1;
        s++;
    }
    return value;
}

int test(void) {
    char text[20];
    for (int i = 0; i < 19; i++)
        text[i] = __VERIFIER_nondet_char();
    text[19] = 0;
    int any;
    int value = parse(text, &any);
    __VERIFIER_assert(value >= 0);
    if (!any)
        __VERIFIER_assert(value != 0);
    return 0;
}
