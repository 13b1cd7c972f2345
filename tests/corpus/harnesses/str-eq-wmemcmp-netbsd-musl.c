/* NetBSD's and musl's wmemcmp have the same sign for every count. They do not: musl's subtracts, and where the difference
   leaves int, its sign is wrong. */

// include verifier.h
// include wide-strings.h

// extract netbsd_wmemcmp wmemcmp=netbsd_wmemcmp

// extract musl_wmemcmp wmemcmp=musl_wmemcmp

void test(struct wide a, struct wide b, size_t count) {
    __VERIFIER_assume(count <= (size_t)a.n_s && count <= (size_t)b.n_s);
    __VERIFIER_assert(sign(netbsd_wmemcmp(a.s, b.s, count)) == sign(musl_wmemcmp(a.s, b.s, count)));
}
