/* Linux's and OpenBSD's strlcpy return the same length and leave the same string. */

// include verifier.h
// include strings.h

// extract linux_strlen strlen=linux_strlen

// extract linux_memcpy memcpy=linux_memcpy

// extract linux_strlcpy strlcpy=linux_strlcpy strlen=linux_strlen memcpy=linux_memcpy

// extract openbsd_strlcpy strlcpy=openbsd_strlcpy

void test(struct str a, struct str b, struct str source) {
    require_string(source);
    __VERIFIER_assume(a.n_s == b.n_s);
    __VERIFIER_assert(linux_strlcpy(a.s, source.s, (size_t)a.n_s) == openbsd_strlcpy(b.s, source.s, (size_t)b.n_s));
    if (a.n_s == 0)
        return;
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "size - 1 : ret" => "size : ret"
