/* After Redis' memmapchars has mapped one character to another, it no longer occurs. */

// include verifier.h
// include strings.h

// extract redis_memmapchars

// twin "j < len" => "j + 1 < len"

void test(struct str a, char old, char new) {
    __VERIFIER_assume(old != new);
    const char from[1] = {old};
    const char to[1] = {new};
    memmapchars(a.s, (size_t)a.n_s, from, to, 1);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] != old);
}
