/* The buggy twin of palindrome.c: the second pointer starts behind the last character. */

extern void __VERIFIER_assert(int condition);

/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

static int is_palindrome(const char *s, int count) {
    if (count == 0)
        return 1;
    const char *last = s + count;
    while (s < last)
        if (*s++ != *last--)
            return 0;
    return 1;
}

void test(struct str a) {
    int answer = is_palindrome(a.s, a.n_s);
    __VERIFIER_assert(answer == 0 || answer == 1);
}
