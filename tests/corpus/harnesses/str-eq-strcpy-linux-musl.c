/* Linux's strcpy and musl's portable stpcpy leave the same string; one returns its start, the other its end. */

// include verifier.h
// include strings.h

// extract linux_strcpy strcpy=linux_strcpy

// extract musl_stpcpy __stpcpy=musl_stpcpy
// rewrite "#ifdef __GNUC__" => "#if 0"

void test(struct str a, struct str b, struct str source) {
    int length = string_length(source);
    __VERIFIER_assume(length < a.n_s && length < b.n_s);
    __VERIFIER_assert(linux_strcpy(a.s, source.s) == a.s);
    __VERIFIER_assert(musl_stpcpy(b.s, source.s) == b.s + length);
    for (int i = 0; i <= length; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "for (; (*d=*s); s++, d++);" => "for (; *s; s++, d++) *d = *s;"
