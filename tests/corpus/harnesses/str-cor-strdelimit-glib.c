/* After GLib's g_strdelimit no delimiter occurs, unless the new one is a delimiter. */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strchr

// extract glib_g_strdelimit

// twin "c = string; *c; c++" => "c = string; *c && c[1]; c++"

void test(struct str a, struct str delimiters, char new_delimiter) {
    require_string(a);
    require_string(delimiters);
    __VERIFIER_assume(!strchr(delimiters.s, new_delimiter));
    __VERIFIER_assert(g_strdelimit(a.s, delimiters.s, new_delimiter) == a.s);
    for (char *p = a.s; *p != 0; p++)
        __VERIFIER_assert(!strchr(delimiters.s, *p));
}
