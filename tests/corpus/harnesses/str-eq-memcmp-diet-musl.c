/* dietlibc's and musl's memcmp agree in sign. */

// include verifier.h
// include strings.h

// extract diet_memcmp memcmp=diet_memcmp __likely= __unlikely=

// extract musl_memcmp memcmp=musl_memcmp

// twin "const unsigned char *d=dst" => "const char *d=dst"

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(sign(diet_memcmp(a.s, b.s, size)) == sign(musl_memcmp(a.s, b.s, size)));
}
