/* The place where GLib finds an element in a list holds this element. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_index

// extract glib_g_slist_nth

// twin "while (n-- > 0 && list)" => "while (--n > 0 && list)"
// twin 2 "i = 0;" => "i = 1;"

void test(GSList *list, int element) {
    gint place = g_slist_index(list, element);
    if (place < 0)
        return;
    GSList *node = g_slist_nth(list, (guint)place);
    __VERIFIER_assert(node != NULL);
    __VERIFIER_assert(node->data == element);
}
