/* busybox's is_suffixed_with and GLib's g_str_has_suffix agree. */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract linux_strcmp

// extract busybox_is_suffixed_with FAST_FUNC=

// extract glib_g_str_has_suffix

// twin "len_diff >= 0" => "len_diff > 0"
// twin 2 "str_len < suffix_len" => "str_len + 1 < suffix_len"

void test(struct str a, struct str suffix) {
    require_string(a);
    require_string(suffix);
    __VERIFIER_assert(!is_suffixed_with(a.s, suffix.s) == !g_str_has_suffix(a.s, suffix.s));
}
