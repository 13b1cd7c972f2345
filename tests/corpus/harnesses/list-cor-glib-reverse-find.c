/* What is found in one of GLib's lists is found in it reversed. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_reverse

// extract glib_g_slist_find

// twin "while (list)\n    {\n      GSList *next" => "while (list && list->next)\n    {\n      GSList *next"
// twin 2 "list->next = prev;" => "if (prev)\n        prev->next = list->next;"

void test(GSList *list, int element) {
    __VERIFIER_assume(g_slist_find(list, element) != NULL);
    GSList *found = g_slist_find(g_slist_reverse(list), element);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->data == element);
}
