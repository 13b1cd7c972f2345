/* git's starts_with and zsh's strpfx agree. */

// include verifier.h
// include strings.h

// extract git_starts_with

// extract zsh_strpfx mod_export=

// twin "while (*s && *s == *t)" => "while (*s == *t)"
// twin 2 "return !*s;" => "return *s == *t;"

void test(struct str a, struct str prefix) {
    require_string(a);
    require_string(prefix);
    __VERIFIER_assert(!starts_with(a.s, prefix.s) == !strpfx(prefix.s, a.s));
}
