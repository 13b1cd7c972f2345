/* musl's swab, done twice on an even number of bytes, gives them back. */

// include verifier.h
// include strings.h

// extract musl_swab

// twin "n>1" => "n>2"
// twin 2 "dest[1] = src[0];" => "dest[1] = src[1];"

void test(struct str source, struct str middle, struct str target) {
    __VERIFIER_assume(source.n_s % 2 == 0);
    __VERIFIER_assume(middle.n_s == source.n_s && target.n_s == source.n_s);
    swab(source.s, middle.s, source.n_s);
    swab(middle.s, target.s, source.n_s);
    for (int i = 0; i < source.n_s; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
}
