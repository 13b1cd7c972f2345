/* klibc's memccpy returns the place behind the first copy of c, or a null pointer where c does not occur. */

// include verifier.h
// include strings.h

// extract klibc_memccpy memccpy=klibc_memccpy

// twin "return q;" => "return q - 1;"

void test(struct str target, struct str source, int c) {
    __VERIFIER_assume(target.n_s == source.n_s);
    char *end = klibc_memccpy(target.s, source.s, c, (size_t)source.n_s);
    int copied = end ? (int)(end - target.s) : source.n_s;
    for (int i = 0; i < copied; i++) {
        __VERIFIER_assert(target.s[i] == source.s[i]);
        __VERIFIER_assert((source.s[i] == (char)c) == (end && i == copied - 1));
    }
    if (end)
        __VERIFIER_assert(copied > 0);
}
