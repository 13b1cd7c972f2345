/* Linux's and klibc's memchr find the same place. */

// include verifier.h
// include strings.h

// extract linux_memchr memchr=linux_memchr

// extract klibc_memchr memchr=klibc_memchr

void test(struct str a, int c) {
    __VERIFIER_assert(linux_memchr(a.s, c, (size_t)a.n_s) == klibc_memchr(a.s, c, (size_t)a.n_s));
}

// twin "return (void *)(p - 1);" => "return (void *)p;"
