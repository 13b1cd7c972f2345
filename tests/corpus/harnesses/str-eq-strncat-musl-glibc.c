/* musl's and glibc's strncat build the same string for every limit. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strlen strlen=linux_strlen

// extract linux_strnlen strnlen=linux_strnlen

// extract linux_memcpy memcpy=linux_memcpy

// extract musl_strncat strncat=musl_strncat strlen=linux_strlen

// extract glibc_strncat STRNCAT=glibc_strncat strlen=linux_strlen __strnlen=linux_strnlen memcpy=linux_memcpy

void test(struct str a, struct str b, struct str source, size_t limit) {
    require_copy(a, b);
    int length = string_length(a);
    int more = string_length(source);
    if (limit < (size_t)more)
        more = (int)limit;
    __VERIFIER_assume(more < a.n_s - length);
    __VERIFIER_assert(musl_strncat(a.s, source.s, limit) == a.s);
    __VERIFIER_assert(glibc_strncat(b.s, source.s, limit) == b.s);
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "while (n && *s)" => "while (*s)"
