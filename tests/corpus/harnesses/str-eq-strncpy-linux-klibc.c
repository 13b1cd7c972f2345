/* Linux's and klibc's strncpy leave the same bytes, padding included; a source that is not shorter than the limit need not be
   terminated. */

// include verifier.h
// include strings.h

// extract linux_strncpy strncpy=linux_strncpy

// extract klibc_memset memset=klibc_memset
// rewrite "#if defined(__i386__)" => "#if 0"
// rewrite "#elif defined(__x86_64__)" => "#elif 0"

// extract klibc_strncpy strncpy=klibc_strncpy memset=klibc_memset

void test(struct str a, struct str b, struct str source) {
    __VERIFIER_assume(a.n_s == b.n_s);
    if (source.n_s < a.n_s)
        require_string(source);
    __VERIFIER_assert(linux_strncpy(a.s, source.s, (size_t)a.n_s) == a.s);
    __VERIFIER_assert(klibc_strncpy(b.s, source.s, (size_t)b.n_s) == b.s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "klibc_memset(q, 0, n);" => "if (n) *q = 0;"
