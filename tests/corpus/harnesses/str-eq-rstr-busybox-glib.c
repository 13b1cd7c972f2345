/* busybox's strrstr and GLib's g_strrstr find the same place (not for an empty needle). */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract linux_memcmp __visible=

// extract linux_strstr

// extract busybox_strrstr FAST_FUNC=

// extract glib_g_strrstr

void test(struct str haystack, struct str needle) {
    require_string(haystack);
    require_string(needle);
    __VERIFIER_assert(strrstr(haystack.s, needle.s) == g_strrstr(haystack.s, needle.s));
}
