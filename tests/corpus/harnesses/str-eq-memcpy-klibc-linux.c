/* klibc's and Linux's memcpy leave the same bytes. */

// include verifier.h
// include strings.h

// extract klibc_memcpy memcpy=klibc_memcpy
// rewrite "#if defined(__i386__)" => "#if 0"
// rewrite "#elif defined(__x86_64__)" => "#elif 0"

// extract linux_memcpy memcpy=linux_memcpy

// twin "while (count--)" => "while (count-- > 1)"

void test(struct str source, struct str first, struct str second) {
    __VERIFIER_assume(first.n_s == source.n_s && second.n_s == source.n_s);
    size_t size = (size_t)source.n_s;
    __VERIFIER_assert(klibc_memcpy(first.s, source.s, size) == first.s);
    __VERIFIER_assert(linux_memcpy(second.s, source.s, size) == second.s);
    for (size_t i = 0; i < size; i++)
        __VERIFIER_assert(first.s[i] == second.s[i]);
}
