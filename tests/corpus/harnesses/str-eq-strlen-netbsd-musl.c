/* NetBSD's and musl's wcslen count the same. */

// include verifier.h
// include wide-strings.h

// extract netbsd_wcslen wcslen=netbsd_wcslen

// extract musl_wcslen wcslen=musl_wcslen

void test(struct wide a) {
    wide_length(a);
    __VERIFIER_assert(netbsd_wcslen(a.s) == musl_wcslen(a.s));
}

// twin "for (a=s; *s; s++);" => "for (a=s; *s++;);"
