/* OpenBSD's strlcpy returns the length of the source and leaves a terminated prefix of it. */

// include verifier.h
// include strings.h

// extract openbsd_strlcpy

// twin "while (--n != 0)" => "while (n-- != 0)"
// twin 2 "s - src - 1" => "s - src"

void test(struct str target, struct str source) {
    size_t length = (size_t)string_length(source);
    size_t size = (size_t)target.n_s;
    __VERIFIER_assert(strlcpy(target.s, source.s, size) == length);
    if (size == 0)
        return;
    size_t i = 0;
    for (; i < size - 1 && source.s[i] != 0; i++)
        __VERIFIER_assert(target.s[i] == source.s[i]);
    __VERIFIER_assert(target.s[i] == 0);
}
