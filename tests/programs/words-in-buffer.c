/* Words of a buffer of constant size, counted: the scan comes no further than the terminator, and there are no more words than characters. */
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assert(int condition);

int test(void) {
    char text[20];
    for (int i = 0; i < 19; i++)
        text[i] = __VERIFIER_nondet_char();
    text[19] = 0;
    int i = 0, words = 0;
    while (text[i]) {
        while (text[i] == ' ')
            i++;
        if (!text[i])
            break;
        words++;
        while (text[i] && text[i] != ' ')
            i++;
    }
    __VERIFIER_assert(words <= i);
    __VERIFIER_assert(i < 20);
    return 0;
}
