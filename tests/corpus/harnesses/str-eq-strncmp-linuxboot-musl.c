/* The strncmp of Linux's boot code and musl's have the same sign for every limit. */

// include verifier.h
// include strings.h

// extract linuxboot_strncmp strncmp=linuxboot_strncmp

// extract musl_strncmp strncmp=musl_strncmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linuxboot_strncmp(a.s, b.s, limit)) == sign(musl_strncmp(a.s, b.s, limit)));
}

// twin "*r && n && *l == *r" => "*r && *l == *r"
