/* klibc's and Linux's strcpy leave the same string. */

// include verifier.h
// include strings.h

// extract klibc_strcpy strcpy=klibc_strcpy

// extract linux_strcpy strcpy=linux_strcpy

void test(struct str a, struct str b, struct str source) {
    int length = string_length(source);
    __VERIFIER_assume(length < a.n_s && length < b.n_s);
    __VERIFIER_assert(klibc_strcpy(a.s, source.s) == a.s);
    __VERIFIER_assert(linux_strcpy(b.s, source.s) == b.s);
    for (int i = 0; i <= length; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "while ((*dest++ = *src++) != '\\0')" => "while (*src) *dest++ = *src++;"
