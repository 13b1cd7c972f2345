/* dietlibc's and musl's strcasecmp have the same sign. They do not: dietlibc subtracts before it compares, so that what
   is below 'A' counts as large. */

// include verifier.h
// include strings.h

extern int tolower(int c);

// extract diet_strcasecmp strcasecmp=diet_strcasecmp __unlikely=

// extract musl_strcasecmp strcasecmp=musl_strcasecmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(diet_strcasecmp(a.s, b.s)) == sign(musl_strcasecmp(a.s, b.s)));
}
