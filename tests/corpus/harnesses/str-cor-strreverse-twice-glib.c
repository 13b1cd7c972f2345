/* GLib's g_strreverse, done twice, gives the string back. */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract glib_g_strreverse

// twin "strlen (string) - 1" => "strlen (string)"

/* The character at the arbitrary place i is looked at. */
void test(struct str a, size_t i) {
    require_string(a);
    __VERIFIER_assume(i <= strlen(a.s));
    char before = a.s[i];
    g_strreverse(g_strreverse(a.s));
    __VERIFIER_assert(a.s[i] == before);
}
