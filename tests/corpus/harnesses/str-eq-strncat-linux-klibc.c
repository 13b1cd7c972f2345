/* Linux's and klibc's strncat build the same string for every limit. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strncat strncat=linux_strncat

// extract klibc_strchr strchr=klibc_strchr

// extract klibc_strncat strncat=klibc_strncat strchr=klibc_strchr

void test(struct str a, struct str b, struct str source, size_t limit) {
    require_copy(a, b);
    int length = string_length(a);
    int more = string_length(source);
    if (limit < (size_t)more)
        more = (int)limit;
    __VERIFIER_assume(more < a.n_s - length);
    __VERIFIER_assert(linux_strncat(a.s, source.s, limit) == a.s);
    __VERIFIER_assert(klibc_strncat(b.s, source.s, limit) == b.s);
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "if (--count == 0)" => "if (count-- == 0)"
