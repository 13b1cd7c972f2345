/* klibc's and Linux's strcat build the same string. */

// include verifier.h
// include strings.h
// include copies.h

extern char *strcpy(char *target, const char *source);

// extract klibc_strchr strchr=klibc_strchr

// extract klibc_strcat strcat=klibc_strcat strchr=klibc_strchr

// extract linux_strcat strcat=linux_strcat

void test(struct str a, struct str b, struct str source) {
    require_copy(a, b);
    int length = string_length(a);
    __VERIFIER_assume(string_length(source) < a.n_s - length);
    __VERIFIER_assert(klibc_strcat(a.s, source.s) == a.s);
    __VERIFIER_assert(linux_strcat(b.s, source.s) == b.s);
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "while ((*dest++ = *src++) != '\\0')" => "while (*src) *dest++ = *src++;"
