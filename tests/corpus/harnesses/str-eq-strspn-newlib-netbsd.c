/* newlib's strspn and NetBSD's wcsspn count the same on the same text of ASCII characters. */

// include verifier.h
// include strings.h
// include wide-strings.h

// extract newlib_strspn strspn=newlib_strspn

// extract netbsd_wcsspn wcsspn=netbsd_wcsspn

/* Keeps only the inputs where both hold the same characters, all of them ASCII. */
static void require_ascii_copy(struct str narrow, struct wide wide) {
    __VERIFIER_assume(narrow.n_s == wide.n_s);
    for (int i = 0; i < narrow.n_s; i++)
        __VERIFIER_assume(narrow.s[i] >= 0 && wide.s[i] == narrow.s[i]);
}

void test(struct str a, struct str set, struct wide wide, struct wide wide_set) {
    require_string(a);
    require_string(set);
    require_ascii_copy(a, wide);
    require_ascii_copy(set, wide_set);
    __VERIFIER_assert(newlib_strspn(a.s, set.s) == netbsd_wcsspn(wide.s, wide_set.s));
}

// twin "while (*p)" => "while (p[1])"
