/* OpenBSD's and klibc's strlcpy return the same length and leave the same string. */

// include verifier.h
// include strings.h

// extract openbsd_strlcpy strlcpy=openbsd_strlcpy

// extract klibc_strlcpy strlcpy=klibc_strlcpy

void test(struct str a, struct str b, struct str source) {
    require_string(source);
    __VERIFIER_assume(a.n_s == b.n_s);
    __VERIFIER_assert(openbsd_strlcpy(a.s, source.s, (size_t)a.n_s) == klibc_strlcpy(b.s, source.s, (size_t)b.n_s));
    if (a.n_s == 0)
        return;
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "if (bytes + 1 < size)" => "if (bytes < size)"
