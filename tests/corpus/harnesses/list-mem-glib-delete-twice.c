/* Deleting a node of one of GLib's lists twice is safe (it is not: it is freed twice). */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib__g_slist_remove_link

// extract glib_g_slist_delete_link

void test(GSList *list, int position) {
    GSList *link = list;
    for (; link != NULL && position > 0; position--)
        link = link->next;
    __VERIFIER_assume(link != NULL);
    list = g_slist_delete_link(list, link);
    list = g_slist_delete_link(list, link);
}
