/* klibc's strcasecmp, which folds upwards, is zero exactly when GLib's g_ascii_strcasecmp, which folds
   downwards, is. */

// include verifier.h
// include strings.h

extern int toupper(int c);

// include glib.h
typedef int gint;
#define TOLOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + ('a' - 'A') : (c))

// extract klibc_strcasecmp strcasecmp=klibc_strcasecmp

// extract glib_g_ascii_strcasecmp

void test(struct str a, struct str b) {
    require_string(a);
    require_string(b);
    __VERIFIER_assert((klibc_strcasecmp(a.s, b.s) == 0) == (g_ascii_strcasecmp(a.s, b.s) == 0));
}

// twin "c2 = (gint)(guchar) TOLOWER (*s2);" => "c2 = (gint)(guchar) *s2;"
