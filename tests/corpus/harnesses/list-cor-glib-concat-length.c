/* The length of two concatenated lists of GLib is the sum of their lengths, modulo 2^32. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_last

// extract glib_g_slist_concat

// extract glib_g_slist_length

// twin "g_slist_last (list1)->next = list2;" => "list1->next = list2;"
// twin 2 "if (list1)" => "if (list1 && list1->next)"

void test(GSList *a, GSList *b) {
    guint sum = g_slist_length(a) + g_slist_length(b);
    __VERIFIER_assert(g_slist_length(g_slist_concat(a, b)) == sum);
}
