/* git's ends_with and zsh's strsfx agree. */

// include verifier.h
// include strings.h

// extract linux_strlen

// extract linux_memcmp __visible=

// extract linux_strcmp

// extract git_strip_suffix_mem

// extract git_strip_suffix

// extract git_ends_with

// extract zsh_strsfx mod_export=

// twin "if (ls <= lt)" => "if (ls < lt)"
// twin 2 "*len < suflen || " => ""

void test(struct str a, struct str suffix) {
    require_string(a);
    require_string(suffix);
    __VERIFIER_assert(!ends_with(a.s, suffix.s) == !strsfx(suffix.s, a.s));
}
