/* busybox's nth_string stays in a block of strings that an empty string ends, for every number. */

// include verifier.h
// include strings.h

// extract busybox_nth_string FAST_FUNC=

// twin "if (*strings == '\\0')" => "if (n == 1)"

void test(struct str block, int n) {
    __VERIFIER_assume(block.n_s >= 2 && block.s[block.n_s - 2] == 0 && block.s[block.n_s - 1] == 0);
    const char *found = nth_string(block.s, n);
    __VERIFIER_assert(block.s <= found && found < block.s + block.n_s);
}
