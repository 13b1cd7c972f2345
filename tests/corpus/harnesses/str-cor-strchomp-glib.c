/* After GLib's g_strchomp the last character is no white space. */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract glib_g_strchomp

// twin "while (len--)" => "while (--len)"

void test(struct str a) {
    require_string(a);
    size_t length = strlen(g_strchomp(a.s));
    if (length > 0)
        __VERIFIER_assert(!g_ascii_isspace(a.s[length - 1]));
}
