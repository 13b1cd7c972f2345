/* GLib's g_strlcat, told the size of the target, stays in it (it does not: it reads on behind a target without terminator). */

// include verifier.h
// include strings.h
// include glib.h

// extract linux_strlen

// extract glib_g_strlcat

void test(struct str target, struct str source) {
    require_string(source);
    g_strlcat(target.s, source.s, (size_t)target.n_s);
}
