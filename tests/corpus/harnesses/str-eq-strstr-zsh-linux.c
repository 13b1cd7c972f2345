/* zsh's and Linux's strstr find the same place. They do not: where both strings are empty, zsh's gives a null pointer. */

// include verifier.h
// include strings.h

// extract linux_strlen strlen=linux_strlen

// extract linux_memcmp memcmp=linux_memcmp __visible=

// extract linux_strstr strstr=linux_strstr strlen=linux_strlen memcmp=linux_memcmp

// extract zsh_strstr strstr=zsh_strstr

void test(struct str a, struct str needle) {
    require_string(a);
    require_string(needle);
    __VERIFIER_assert(zsh_strstr(a.s, needle.s) == linux_strstr(a.s, needle.s));
}
