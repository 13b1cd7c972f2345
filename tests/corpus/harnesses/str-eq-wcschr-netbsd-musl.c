/* NetBSD's and musl's wcschr find the same place. */

// include verifier.h
// include wide-strings.h

// extract netbsd_wcschr wcschr=netbsd_wcschr

// extract musl_wcslen

// extract musl_wcschr wcschr=musl_wcschr

void test(struct wide a, wchar_t c) {
    wide_length(a);
    __VERIFIER_assert(netbsd_wcschr(a.s, c) == musl_wcschr(a.s, c));
}

// twin "return *s ? (wchar_t *)s : 0;" => "return (wchar_t *)s;"
