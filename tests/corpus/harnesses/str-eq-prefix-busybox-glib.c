/* busybox's is_prefixed_with and GLib's g_str_has_prefix agree. */

// include verifier.h
// include strings.h
// include glib.h

// extract busybox_is_prefixed_with FAST_FUNC=

// extract linux_strlen

// extract linux_strncmp

// extract glib_g_str_has_prefix

// twin "while (count) {" => "while (count > 1) {"

void test(struct str a, struct str prefix) {
    require_string(a);
    require_string(prefix);
    __VERIFIER_assert(!is_prefixed_with(a.s, prefix.s) == !g_str_has_prefix(a.s, prefix.s));
}
