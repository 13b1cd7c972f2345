/* libbsd's strlcat and the older one in OpenSSH return the same length and leave the same bytes. The destination need not be terminated. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strlen strlen=linux_strlen

// extract libbsd_strlcat strlcat=libbsd_strlcat strlen=linux_strlen

// extract openbsd_strlcat strlcat=openbsd_strlcat strlen=linux_strlen

void test(struct str a, struct str b, struct str source) {
    require_string(source);
    require_copy(a, b);
    __VERIFIER_assert(libbsd_strlcat(a.s, source.s, (size_t)a.n_s) == openbsd_strlcat(b.s, source.s, (size_t)b.n_s));
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "if (n-- == 0)" => "if (n == 0)"
