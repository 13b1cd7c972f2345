/* klibc's strncmp is zero if and only if the strings agree up to the limit or their common end. */

// include verifier.h
// include strings.h

// extract klibc_strncmp

// twin "d || !ch" => "d > 0 || !ch"

void test(struct str a, struct str b, size_t limit) {
    require_string(a);
    require_string(b);
    int result = strncmp(a.s, b.s, limit);
    for (size_t i = 0; i < limit; i++) {
        if (a.s[i] != b.s[i]) {
            __VERIFIER_assert(result != 0);
            return;
        }
        if (a.s[i] == 0)
            break;
    }
    __VERIFIER_assert(result == 0);
}
