/* Linux's and musl's strncasecmp have the same sign in the C locale for every limit. */

// include verifier.h
// include strings.h

extern int tolower(int c);

/* Linux's tolower takes and gives an unsigned char; folding is that of the C locale. */
static unsigned char linux_tolower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// extract linux_strncasecmp strncasecmp=linux_strncasecmp tolower=linux_tolower

// extract musl_strncasecmp strncasecmp=musl_strncasecmp

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linux_strncasecmp(a.s, b.s, limit)) == sign(musl_strncasecmp(a.s, b.s, limit)));
}

// twin "while (--len)" => "while (len--)"
