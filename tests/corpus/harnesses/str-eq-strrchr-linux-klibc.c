/* Linux's and klibc's strrchr find the same place. */

// include verifier.h
// include strings.h

// extract linux_strrchr strrchr=linux_strrchr

// extract klibc_strrchr strrchr=klibc_strrchr

void test(struct str a, int c) {
    require_string(a);
    __VERIFIER_assert(linux_strrchr(a.s, c) == klibc_strrchr(a.s, c));
}

// twin "found = s;" => "return (char *)s;"
