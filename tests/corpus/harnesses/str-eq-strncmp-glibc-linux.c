/* glibc's strncmp, unrolled four times, and Linux's have the same sign for every limit. */

// include verifier.h
// include strings.h

// extract glibc_strncmp STRNCMP=glibc_strncmp

// extract linux_strncmp strncmp=linux_strncmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(glibc_strncmp(a.s, b.s, limit)) == sign(linux_strncmp(a.s, b.s, limit)));
}

// twin "while (n > 0)" => "while (n > 1)"
