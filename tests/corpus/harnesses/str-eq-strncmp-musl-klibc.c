/* musl's and klibc's strncmp give the same number for every limit. */

// include verifier.h
// include strings.h

// extract musl_strncmp strncmp=musl_strncmp

// extract klibc_strncmp strncmp=klibc_strncmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(musl_strncmp(a.s, b.s, limit) == klibc_strncmp(a.s, b.s, limit));
}

// twin "if (!n--) return 0;" => "if (!n) return 0;"
