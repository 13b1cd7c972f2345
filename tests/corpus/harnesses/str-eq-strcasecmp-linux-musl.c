/* Linux's and musl's strcasecmp have the same sign in the C locale. */

// include verifier.h
// include strings.h

extern int tolower(int c);

/* Linux's tolower takes and gives an unsigned char; folding is that of the C locale. */
static unsigned char linux_tolower(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

// extract linux_strcasecmp strcasecmp=linux_strcasecmp tolower=linux_tolower

// extract musl_strcasecmp strcasecmp=musl_strcasecmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(linux_strcasecmp(a.s, b.s)) == sign(musl_strcasecmp(a.s, b.s)));
}

// twin "return tolower(*l) - tolower(*r);" => "return *l - *r;"
