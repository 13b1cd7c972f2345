/* klibc's and dietlibc's memccpy stop at the same place (they do not: one compares a signed character with an int). */

// include verifier.h
// include strings.h

// extract klibc_memccpy memccpy=klibc_memccpy

// extract diet_memccpy memccpy=diet_memccpy

void test(struct str source, struct str first, struct str second, int c) {
    __VERIFIER_assume(first.n_s == source.n_s && second.n_s == source.n_s);
    size_t size = (size_t)source.n_s;
    char *end = klibc_memccpy(first.s, source.s, c, size);
    char *other_end = diet_memccpy(second.s, source.s, c, size);
    __VERIFIER_assert(!end == !other_end);
    if (end)
        __VERIFIER_assert(end - first.s == other_end - second.s);
}
