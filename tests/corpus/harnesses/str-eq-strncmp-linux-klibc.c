/* Linux's and klibc's strncmp have the same sign for every limit. */

// include verifier.h
// include strings.h

// extract linux_strncmp strncmp=linux_strncmp

// extract klibc_strncmp strncmp=klibc_strncmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linux_strncmp(a.s, b.s, limit)) == sign(klibc_strncmp(a.s, b.s, limit)));
}

// twin "while (n--)" => "while (--n)"
