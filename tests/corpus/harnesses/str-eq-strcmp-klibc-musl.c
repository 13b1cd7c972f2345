/* klibc's and musl's strcmp agree in sign. */

// include verifier.h
// include strings.h

// extract klibc_strcmp strcmp=klibc_strcmp

// extract musl_strcmp strcmp=musl_strcmp

// twin "return *(unsigned char *)l - *(unsigned char *)r;" => "return *l - *r;"

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert(sign(klibc_strcmp(a.s, b.s)) == sign(musl_strcmp(a.s, b.s)));
}
