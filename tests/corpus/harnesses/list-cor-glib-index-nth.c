/* The place where GLib finds an element in a list is the first that holds this element. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_index

// extract glib_g_slist_nth

// twin "while (n-- > 0 && list)" => "while (--n > 0 && list)"
// twin 2 "i = 0;" => "i = 1;"

/* The first node that holds the element is at a place that an index can tell: farther behind, it would wrap around. */
void test(GSList *list, int element, int position) {
    __VERIFIER_assume(position >= 0);
    GSList *first = g_slist_nth(list, (guint)position);
    __VERIFIER_assume(first != NULL && first->data == element);
    for (GSList *node = list; node != first; node = node->next)
        __VERIFIER_assume(node->data != element);
    gint place = g_slist_index(list, element);
    __VERIFIER_assert(place == position);
    GSList *node = g_slist_nth(list, (guint)place);
    __VERIFIER_assert(node != NULL);
    __VERIFIER_assert(node->data == element);
}
