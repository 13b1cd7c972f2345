/* A string copied by Linux's strcpy is as long as the original. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract linux_strcpy

// twin "(*dest++ = *src++) != '\\0'" => "*src != '\\0' && (*dest++ = *src++)"

void test(struct str source, struct str target) {
    __VERIFIER_assume(target.n_s > string_length(source));
    __VERIFIER_assert(strlen(strcpy(target.s, source.s)) == strlen(source.s));
}
