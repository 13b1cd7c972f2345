/* klibc's strnlen stops at the terminator or the limit, whichever comes first. */

// include verifier.h
// include strings.h

// extract klibc_strnlen

// twin "maxlen > 0" => "maxlen > 1"

void test(struct str a, size_t limit) {
    __VERIFIER_assume(limit <= (size_t)a.n_s);
    size_t length = strnlen(a.s, limit);
    __VERIFIER_assert(length <= limit);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assert(a.s[i] != 0);
    if (length < limit)
        __VERIFIER_assert(a.s[length] == 0);
}
