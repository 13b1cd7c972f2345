/* The strcmp of Linux's boot code and klibc's have the same sign. */

// include verifier.h
// include strings.h

// extract linuxboot_strcmp strcmp=linuxboot_strcmp

// extract klibc_strcmp strcmp=klibc_strcmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linuxboot_strcmp(a.s, b.s)) == sign(klibc_strcmp(a.s, b.s)));
}

// twin "while (*s1 || *s2)" => "while (*s1 && *s2)"
