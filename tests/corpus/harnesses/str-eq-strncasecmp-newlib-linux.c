/* newlib's strncasecmp is zero exactly when Linux's is, in the C locale, for every limit. */

// include verifier.h
// include strings.h

extern int tolower(int c);

/* Linux's tolower takes and gives an unsigned char; folding is that of the C locale. */
static unsigned char linux_tolower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// extract newlib_strncasecmp strncasecmp=newlib_strncasecmp

// extract linux_strncasecmp strncasecmp=linux_strncasecmp tolower=linux_tolower

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert((newlib_strncasecmp(a.s, b.s, limit) == 0) == (linux_strncasecmp(a.s, b.s, limit) == 0));
}

// twin "if (((d = c1 - c2) != 0) || (c2 == '\\0'))" => "if ((d = c1 - c2) != 0)"
