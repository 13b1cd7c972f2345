/* Appending to one of GLib's lists makes it longer by one. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_last

// extract glib_g_slist_append

// extract glib_g_slist_length

// twin "last->next = new_list;" => "new_list->next = last->next;"
// twin 2 "while (list->next)" => "while (list->next && list->next->next)"
// twin 3 "new_list->next = NULL;\n" => "\n"

void test(GSList *list, int element) {
    guint before = g_slist_length(list);
    __VERIFIER_assert(g_slist_length(g_slist_append(list, element)) == before + 1);
}
