/* After GLib's g_strchug the first character is no white space. */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract linux_memmove memmove=linux_memmove

// extract glib_g_strchug memmove=linux_memmove

// twin "strlen ((gchar *) start) + 1" => "strlen ((gchar *) start)"
// twin 2 "*start && g_ascii_isspace (*start)" => "*start && g_ascii_isspace (start[1])"

void test(struct str a) {
    require_string(a);
    __VERIFIER_assert(!g_ascii_isspace(*g_strchug(a.s)));
}
