/* GLib and BusyBox append an element to equal lists with equal results. */

// include verifier.h
// include glib.h
// include glib-data.h
// include glib-slist.h
// include busybox-list.h

// extract glib_g_slist_last

// extract glib_g_slist_append

// extract busybox_llist_add_to_end FAST_FUNC=
// rewrite "void *data" => "int data"
// rewrite "*list_head = xzalloc(sizeof(llist_t));" => "llist_t *node = xzalloc(sizeof(llist_t));\n\t*list_head = node;"

// twin "while (*list_head)" => "while (*list_head && (*list_head)->link)"
// twin 2 "last->next = new_list;" => "list->next = new_list;"
// twin 3 "(*list_head)->data = data;" => ""

void test(GSList *a, llist_t *b, int element) {
    llist_t *equal = b;
    for (GSList *node = a; node != NULL; node = node->next) {
        __VERIFIER_assume(equal != NULL && node->data == equal->data);
        equal = equal->link;
    }
    __VERIFIER_assume(equal == NULL);
    a = g_slist_append(a, element);
    llist_add_to_end(&b, element);
    for (; a != NULL; a = a->next) {
        __VERIFIER_assert(b != NULL && a->data == b->data);
        b = b->link;
    }
    __VERIFIER_assert(b == NULL);
}
