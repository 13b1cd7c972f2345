/* The two directions of one of GLib's lists are inverse after reversing it, too. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-list.h

// extract glib_g_list_reverse

// twin "last->prev = list;" => ""
// twin 2 "while (list)" => "while (list && list->next)"

void test(GList *list) {
    link_back(list);
    guint before = inverse_length(list);
    __VERIFIER_assert(inverse_length(g_list_reverse(list)) == before);
}
