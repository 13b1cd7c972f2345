/* What is inserted into one of GLib's lists at a place from 0 to its length stands there. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

// extract glib_g_slist_last

// extract glib_g_slist_append

// extract glib_g_slist_prepend

// extract glib_g_slist_insert

// extract glib_g_slist_nth

// extract glib_g_slist_length

// twin "(position-- > 0)" => "(--position > 0)"
// twin 2 "prev_list = tmp_list;" => "prev_list = tmp_list->next;"

void test(GSList *list, int element, int position) {
    __VERIFIER_assume(position >= 0 && (guint)position <= g_slist_length(list));
    GSList *inserted = g_slist_nth(g_slist_insert(list, element, position), (guint)position);
    __VERIFIER_assert(inserted != NULL);
    __VERIFIER_assert(inserted->data == element);
}
