/* Redis' mempbrk over two whole strings and Linux's strpbrk find the same place. */

// include verifier.h
// include strings.h

// extract redis_mempbrk

// extract linux_strpbrk

// twin "n < charslen" => "n + 1 < charslen"

void test(struct str a, struct str set) {
    size_t length = (size_t)string_length(a);
    size_t set_length = (size_t)string_length(set);
    __VERIFIER_assert(mempbrk(a.s, length, set.s, set_length) == strpbrk(a.s, set.s));
}
