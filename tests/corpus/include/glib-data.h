/* What GLib's containers hold: integers here, so that two elements can be equal. */
typedef int gpointer;
typedef int gconstpointer;

/* The comparator of all containers. */
static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}
