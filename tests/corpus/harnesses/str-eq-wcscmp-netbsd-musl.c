/* NetBSD's and musl's wcscmp give the same difference, which may wrap. */

// include verifier.h
// include wide-strings.h

// extract netbsd_wcscmp wcscmp=netbsd_wcscmp

// extract musl_wcscmp wcscmp=musl_wcscmp

void test(struct wide a, struct wide b) {
    wide_length(a);
    wide_length(b);
    __VERIFIER_assert(netbsd_wcscmp(a.s, b.s) == musl_wcscmp(a.s, b.s));
}

// twin "return (*s1 - *--s2);" => "return (*s1 - *s2);"
