/* musl's and OpenBSD's strlcat return the same length and leave the same bytes. The destination need not be terminated. */

// include verifier.h
// include strings.h
// include copies.h

// extract linux_strlen strlen=linux_strlen

// extract linux_strnlen strnlen=linux_strnlen

// extract openbsd_strlcpy strlcpy=openbsd_strlcpy

// extract musl_strlcat strlcat=musl_strlcat strnlen=linux_strnlen strlen=linux_strlen strlcpy=openbsd_strlcpy

// extract openbsd_strlcat strlcat=openbsd_strlcat strlen=linux_strlen

void test(struct str a, struct str b, struct str source) {
    require_string(source);
    require_copy(a, b);
    __VERIFIER_assert(musl_strlcat(a.s, source.s, (size_t)a.n_s) == openbsd_strlcat(b.s, source.s, (size_t)b.n_s));
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "openbsd_strlcpy(d+l, s, n-l)" => "openbsd_strlcpy(d+l, s, n)"
