/* NetBSD's wcsncat stays in a target that has room for both strings. */

// include verifier.h
// include wide-strings.h

// extract netbsd_wcsncat __restrict=

// twin "while (*r && n)" => "while (n)"
// twin 2 "head + tail < " => "head + tail <= "

void test(struct wide target, struct wide source, size_t count) {
    size_t head = (size_t)wide_length(target);
    size_t tail = (size_t)wide_length(source);
    __VERIFIER_assume(head + tail < (size_t)target.n_s);
    __VERIFIER_assert(wcsncat(target.s, source.s, count) == target.s);
}
