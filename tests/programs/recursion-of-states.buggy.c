/* A scanner whose states are functions, each of which calls the next one last. */
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assert(int);

static unsigned char words, letters;

static void count_letter(void) {
    if (letters < 200)
        letters++;
}

static void inside(unsigned char left);

static void between(unsigned char left) {
    if (left == 0)
        return;
    if (__VERIFIER_nondet_char() == ' ') {
        between(left - 1);
    } else {
        if (words < 200)
            words++;
        inside(left - 1);
    }
}

static void inside(unsigned char left) {
    if (left == 0)
        return;
    if (__VERIFIER_nondet_char() == ' ') {
        between(left - 1);
    } else {
        count_letter();
        inside(left - 1);
    }
}

void test(unsigned char left) {
    if (left > 60)
        return;
    between(left);
    __VERIFIER_assert(words <= letters);
}
