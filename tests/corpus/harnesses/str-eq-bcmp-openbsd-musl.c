/* OpenBSD's timingsafe_bcmp is zero exactly where musl's memcmp is. */

// include verifier.h
// include strings.h

// extract openbsd_timingsafe_bcmp

// extract musl_memcmp

// twin "ret |= *p1++ ^ *p2++;" => "ret = *p1++ ^ *p2++;"

void test(struct str a, struct str b) {
    __VERIFIER_assume(a.n_s == b.n_s);
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert((timingsafe_bcmp(a.s, b.s, size) == 0) == (memcmp(a.s, b.s, size) == 0));
}
