/* Removing an element that one of GLib's lists holds makes it shorter by one. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib__g_slist_remove_data

// extract glib_g_slist_find

// extract glib_g_slist_length

// twin "if (!all)" => "if (all)"
// twin 2 "*previous_ptr = tmp->next;\n          g_slist_free_1 (tmp);" => "g_slist_free_1 (tmp);\n          *previous_ptr = tmp->next;"
// twin 3 "*previous_ptr = tmp->next;" => "list = tmp->next;"

void test(GSList *list, int element) {
    __VERIFIER_assume(g_slist_find(list, element) != NULL);
    guint before = g_slist_length(list);
    __VERIFIER_assert(g_slist_length(_g_slist_remove_data(list, element, FALSE)) == before - 1);
}
