/* Linux's and FreeBSD's strnstr find the same place for every limit inside the array. They do not: Linux's searches beyond the
   terminator. */

// include verifier.h
// include strings.h

// extract linux_strlen strlen=linux_strlen

// extract linux_memcmp memcmp=linux_memcmp __visible=

// extract linux_strncmp strncmp=linux_strncmp

// extract linux_strnstr strnstr=linux_strnstr strlen=linux_strlen memcmp=linux_memcmp

// extract freebsd_strnstr strnstr=freebsd_strnstr strlen=linux_strlen strncmp=linux_strncmp

void test(struct str a, struct str needle, size_t limit) {
    require_string(a);
    require_string(needle);
    __VERIFIER_assume(limit <= (size_t)a.n_s);
    __VERIFIER_assert(linux_strnstr(a.s, needle.s, limit) == freebsd_strnstr(a.s, needle.s, limit));
}
