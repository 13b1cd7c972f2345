/* The words of GLib. */
#define FALSE 0
#define TRUE 1
#define G_STR_DELIMITERS "_-|> <."
#define g_return_val_if_fail(condition, value) \
    if (!(condition)) \
        return (value)
#define g_return_if_fail(condition) \
    if (!(condition)) \
        return
typedef char gchar;
typedef unsigned char guchar;
typedef int gboolean;
typedef int gint;
typedef unsigned int guint;
typedef size_t gsize;

/* White space of ASCII; to GLib, a vertical tab is none. */
static gboolean g_ascii_isspace(gchar c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}
