/* GLib merges two sorted lists into a sorted list of all their nodes. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_sort_merge
// rewrite ",\n                    GFunc     compare_func,\n                    gpointer  user_data)" => ")"
// rewrite "((GCompareDataFunc) compare_func) (l1->data, l2->data, user_data)" => "compare (l1->data, l2->data)"

// extract glib_g_slist_length

// twin "if (cmp <= 0)" => "if (cmp >= 0)"
// twin 2 "l->next= l1 ? l1 : l2;" => "l->next= l1;"
// twin 3 "l=l->next=l2;" => "l->next=l2;"

void test(GSList *a, GSList *b) {
    __VERIFIER_assume(is_sorted(a));
    __VERIFIER_assume(is_sorted(b));
    guint sum = g_slist_length(a) + g_slist_length(b);
    GSList *merged = g_slist_sort_merge(a, b);
    __VERIFIER_assert(is_sorted(merged));
    __VERIFIER_assert(g_slist_length(merged) == sum);
}
