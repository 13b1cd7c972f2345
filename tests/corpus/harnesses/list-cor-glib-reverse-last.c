/* The first node of one of GLib's lists is the last one of it reversed. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_reverse

// extract glib_g_slist_last

// twin "while (list)\n    {\n      GSList *next" => "while (list && list->next)\n    {\n      GSList *next"
// twin 2 "list->next = prev;" => "if (prev)\n        prev->next = list;"

void test(GSList *list) {
    GSList *reversed = g_slist_reverse(list);
    __VERIFIER_assert(g_slist_last(reversed) == list);
}
