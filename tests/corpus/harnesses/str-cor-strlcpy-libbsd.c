/* libbsd's strlcpy returns the length of the source and leaves a terminated prefix of it. */

// include verifier.h
// include strings.h

// extract libbsd_strlcpy

// extract klibc_strlen

// twin "nleft = dsize;" => "nleft = dsize + 1;"
// twin 2 "src - osrc - 1" => "src - osrc"

void test(struct str target, struct str source) {
    require_string(source);
    size_t size = (size_t)target.n_s;
    __VERIFIER_assert(strlcpy(target.s, source.s, size) == strlen(source.s));
    if (size == 0)
        return;
    size_t i = 0;
    for (; i < size - 1 && source.s[i] != 0; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
    __VERIFIER_assert(target.s[i] == 0);
}
