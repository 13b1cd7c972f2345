/* Prepending to one of GLib's lists makes it longer by one. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_prepend

// extract glib_g_slist_length

// twin "new_list->next = list;" => "new_list->next = list ? list->next : NULL;"
// twin 2 "return new_list;" => "return list;"

void test(GSList *list, int element) {
    guint before = g_slist_length(list);
    __VERIFIER_assert(g_slist_length(g_slist_prepend(list, element)) == before + 1);
}
