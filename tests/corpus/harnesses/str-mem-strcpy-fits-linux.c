/* Linux's strcpy stays in a target that is longer than the source. */

// include verifier.h
// include strings.h

// extract linux_strcpy

// twin "(*dest++ = *src++)" => "(*++dest = *src++)"
// twin 2 "target.n_s > string_length(source)" => "target.n_s >= string_length(source)"

void test(struct str source, struct str target) {
    __VERIFIER_assume(target.n_s > string_length(source));
    strcpy(target.s, source.s);
}
