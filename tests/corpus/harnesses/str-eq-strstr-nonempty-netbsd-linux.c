/* Str_FindSubstring of NetBSD's make and Linux's strstr find the same place for a needle that is not empty. */

// include verifier.h
// include strings.h

#define UNCONST(pointer) ((char *)(pointer))

// extract linux_strlen strlen=linux_strlen

// extract linux_memcmp memcmp=linux_memcmp __visible=

// extract linux_strstr strstr=linux_strstr strlen=linux_strlen memcmp=linux_memcmp

// extract netbsd_Str_FindSubstring

void test(struct str a, struct str needle) {
    require_string(a);
    require_string(needle);
    __VERIFIER_assume(needle.s[0] != 0);
    __VERIFIER_assert(Str_FindSubstring(a.s, needle.s) == linux_strstr(a.s, needle.s));
}

// twin "if (*b == 0)" => "if (*a == 0)"
