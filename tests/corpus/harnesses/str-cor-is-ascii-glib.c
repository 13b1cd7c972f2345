/* GLib's g_str_is_ascii holds exactly where every byte is below 0x80. */

// include verifier.h
// include strings.h
// include glib.h

// extract glib_g_str_is_ascii

// twin "str[i] & 0x80" => "str[i] > 0x7f"

void test(struct str a) {
    require_string(a);
    int below = 1;
    for (char *p = a.s; *p != 0; p++)
        if ((unsigned char)*p >= 0x80)
            below = 0;
    __VERIFIER_assert(!g_str_is_ascii(a.s) == !below);
}
