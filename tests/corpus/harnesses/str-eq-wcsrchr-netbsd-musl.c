/* NetBSD's and musl's wcsrchr find the same place. */

// include verifier.h
// include wide-strings.h

extern size_t wcslen(const wchar_t *s);

// extract netbsd_wcsrchr wcsrchr=netbsd_wcsrchr

// extract musl_wcsrchr wcsrchr=musl_wcsrchr

void test(struct wide a, wchar_t c) {
    wide_length(a);
    __VERIFIER_assert(netbsd_wcsrchr(a.s, c) == musl_wcsrchr(a.s, c));
}

// twin "while (s <= p)" => "while (s < p)"
