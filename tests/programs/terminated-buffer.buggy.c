/* The buggy twin of terminated-buffer.c: a blank stands where the terminator belongs. */

extern void __VERIFIER_assert(int condition);
extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);

static void append(char *text, int *length, char c) {
    if (*length < 63) {
        text[(*length)++] = c;
        text[*length] = ' ';
    }
}

void test(void) {
    char text[64];
    int length = 0;
    text[0] = 0;
    while (__VERIFIER_nondet_int())
        append(text, &length, __VERIFIER_nondet_char());
    __VERIFIER_assert(length >= 0 && length < 64);
    __VERIFIER_assert(text[length] == 0);
}
