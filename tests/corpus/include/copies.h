/* Keeps only the inputs where both arrays are of one size and hold the same characters. */
static void require_copy(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assume(a.s[i] == b.s[i]);
}
