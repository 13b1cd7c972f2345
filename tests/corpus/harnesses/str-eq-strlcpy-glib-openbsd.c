/* GLib's g_strlcpy and OpenBSD's strlcpy return the same length and leave the same string. */

// include verifier.h
// include strings.h

// include glib.h

// extract glib_g_strlcpy

// extract openbsd_strlcpy strlcpy=openbsd_strlcpy

void test(struct str a, struct str b, struct str source) {
    require_string(source);
    __VERIFIER_assume(a.n_s == b.n_s);
    __VERIFIER_assert(g_strlcpy(a.s, source.s, (size_t)a.n_s) == openbsd_strlcpy(b.s, source.s, (size_t)b.n_s));
    if (a.n_s == 0)
        return;
    for (int i = 0; a.s[i] != 0 || b.s[i] != 0; i++)
        __VERIFIER_assert(a.s[i] == b.s[i]);
}

// twin "return s - src - 1;" => "return s - src;"
