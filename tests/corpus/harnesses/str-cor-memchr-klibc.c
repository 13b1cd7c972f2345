/* klibc's memchr returns the first occurrence of a byte, or a null pointer. */

// include verifier.h
// include strings.h

// extract klibc_memchr

// twin "while (n--)" => "while (--n)"

void test(struct str a, int c) {
    char *found = memchr(a.s, c, (size_t)a.n_s);
    if (found)
        __VERIFIER_assert(*found == (char)c);
    for (int i = 0; i < a.n_s && a.s + i != found; i++)
        __VERIFIER_assert(a.s[i] != (char)c);
}
