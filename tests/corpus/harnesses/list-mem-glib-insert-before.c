/* GLib inserts safely before any sibling: a node of the list, one of another list, or none. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_insert_before

// extract glib_g_slist_length

// twin "for (node = slist; node; last = node, node = last->next)" => "for (node = slist; ; last = node, node = last->next)"
// twin 2 "if (!last)" => "if (last)"

void test(GSList *list, GSList *other, int position, int element) {
    GSList *sibling = other;
    if (position >= 0)
        for (sibling = list; sibling != NULL && position > 0; position--)
            sibling = sibling->next;
    guint before = g_slist_length(list);
    list = g_slist_insert_before(list, sibling, element);
    __VERIFIER_assert(g_slist_length(list) == before + 1);
}
