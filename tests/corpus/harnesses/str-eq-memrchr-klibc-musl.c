/* klibc's and musl's memrchr find the same place. */

// include verifier.h
// include strings.h

// extract klibc_memrchr memrchr=klibc_memrchr

// extract musl_memrchr __memrchr=musl_memrchr

// twin "while (n--) if (s[n]==c)" => "while (--n) if (s[n]==c)"

void test(struct str a, int c) {
    size_t size = (size_t)a.n_s;
    __VERIFIER_assert(klibc_memrchr(a.s, c, size) == musl_memrchr(a.s, c, size));
}
