/* Wrong: behind the characters 1 and 2 the place that is written lies one element too far. */


/* An array input: s points to exactly n_s characters. */
struct str {
    char *s;
    int n_s;
};

void test(struct str a) {
    for (int i = 0; i < a.n_s; i++) {
        int at = i;
        if (i >= 2 && a.s[i - 2] == 1 && a.s[i - 1] == 2)
            at = i + 1;
        a.s[at] = a.s[i];
    }
}
