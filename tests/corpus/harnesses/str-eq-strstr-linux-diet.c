/* Linux's and dietlibc's strstr find the same place. */

// include verifier.h
// include strings.h

// extract linux_strlen strlen=linux_strlen

// extract linux_memcmp memcmp=linux_memcmp __visible=

// extract linux_strstr strstr=linux_strstr strlen=linux_strlen memcmp=linux_memcmp

// extract diet_strstr strstr=diet_strstr strlen=linux_strlen memcmp=linux_memcmp __likely=

void test(struct str a, struct str needle) {
    require_string(a);
    require_string(needle);
    __VERIFIER_assert(linux_strstr(a.s, needle.s) == diet_strstr(a.s, needle.s));
}

// twin "hl-nl+1" => "hl-nl"
