/* musl's portable stpncpy and Linux's strncpy leave the same bytes, padding included; a source that is not shorter than the
   limit need not be terminated. */

// include verifier.h
// include strings.h

// extract linux_memset memset=linux_memset

// extract musl_stpncpy __stpncpy=musl_stpncpy memset=linux_memset
// rewrite "#ifdef __GNUC__" => "#if 0"

// extract linux_strncpy strncpy=linux_strncpy

void test(struct str a, struct str b, struct str source) {
    __VERIFIER_assume(a.n_s == b.n_s);
    if (source.n_s < a.n_s)
        require_string(source);
    musl_stpncpy(a.s, source.s, (size_t)a.n_s);
    linux_strncpy(b.s, source.s, (size_t)b.n_s);
    for (int i = 0; i < a.n_s; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "for (; n && (*d=*s); n--, s++, d++);" => "for (; (*d=*s) && n; n--, s++, d++);"
