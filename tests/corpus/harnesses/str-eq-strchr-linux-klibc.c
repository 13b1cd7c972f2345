/* Linux's and klibc's strchr find the same place. */

// include verifier.h
// include strings.h

// extract linux_strchr strchr=linux_strchr

// extract klibc_strchr strchr=klibc_strchr

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(linux_strchr(a.s, c) == klibc_strchr(a.s, c));
}

// twin "for (; *s != (char)c; ++s)" => "for (; *s != (char)c || *s == 0; ++s)"
