/* musl's and Linux's memcmp agree in sign. */

// include verifier.h
// include strings.h

// extract musl_memcmp memcmp=musl_memcmp

// extract linux_memcmp memcmp=linux_memcmp __visible=

// twin "0 < count" => "1 < count"
// twin 2 "const unsigned char *l=vl, *r=vr;" => "const char *l=vl, *r=vr;"

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(sign(musl_memcmp(a.s, b.s, size)) == sign(linux_memcmp(a.s, b.s, size)));
}
