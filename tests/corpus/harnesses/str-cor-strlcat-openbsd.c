/* With room enough, OpenBSD's strlcat returns the sum of both lengths and leaves the concatenation. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract openbsd_strlcat

// twin "n = siz - dlen;" => "n = siz - dlen - 1;"

/* Of the concatenation, the character at the arbitrary place i is looked at. */
void test(struct str target, struct str source, size_t i) {
    size_t head = (size_t)string_length(target);
    size_t tail = (size_t)string_length(source);
    __VERIFIER_assume(head + tail < (size_t)target.n_s && i <= head + tail);
    char expected = i < head ? target.s[i] : source.s[i - head];
    __VERIFIER_assert(strlcat(target.s, source.s, (size_t)target.n_s) == head + tail);
    __VERIFIER_assert(target.s[i] == expected);
}
