/* dietlibc's and musl's memrchr find the same place (they do not: one compares a signed character with an int). */

// include verifier.h
// include strings.h

// extract diet_memrchr memrchr=diet_memrchr

// extract musl_memrchr __memrchr=musl_memrchr

void test(struct str a, int c) {
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(diet_memrchr(a.s, c, size) == musl_memrchr(a.s, c, size));
}
