/* Git and GLib agree on whether an element is in equal lists. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h

/* Integers in place of git's commits. */
struct commit_list {
    int item;
    struct commit_list *next;
};

// extract git_commit_list_contains
// rewrite "struct commit *item" => "int item"

// extract glib_g_slist_find

// twin "while (list)\n    {" => "while (list && list->next)\n    {"
// twin 2 "if (list->item == item)\n\t\t\treturn 1;\n\t\tlist = list->next;" => "list = list->next;\n\t\tif (list && list->item == item)\n\t\t\treturn 1;"

void test(struct commit_list *a, GSList *b, int element) {
    GSList *equal = b;
    for (struct commit_list *node = a; node != NULL; node = node->next) {
        __VERIFIER_assume(equal != NULL && node->item == equal->data);
        equal = equal->next;
    }
    __VERIFIER_assume(equal == NULL);
    __VERIFIER_assert(commit_list_contains(element, a) == (g_slist_find(b, element) != NULL));
}
