/* Taking a node that was found out of one of GLib's lists keeps its two directions inverse, and takes out that node alone. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-list.h

/* GLib warns where the directions are not inverse. */
#define g_warning(message) __VERIFIER_fail()

// extract glib__g_list_remove_link

// extract glib_g_list_find

// twin "link->next->prev = link->prev;" => "link->next->prev = link;"
// twin 2 "if (link == list)\n    list = list->next;" => ""
// twin 3 "link->prev->next = link->next;" => "link->prev->next = NULL;"

void test(GList *list, int element) {
    link_back(list);
    GList *node = g_list_find(list, element);
    __VERIFIER_assume(node != NULL);
    guint before = inverse_length(list);
    list = _g_list_remove_link(list, node);
    __VERIFIER_assert(inverse_length(list) == before - 1);
    __VERIFIER_assert(node->next == NULL && node->prev == NULL);
}
