/* What BusyBox adds to the end of a list is the last one's datum; unlinking this node gives the list as it was. */

// include verifier.h
// include busybox-list.h

// extract busybox_llist_add_to_end FAST_FUNC=
// rewrite "void *data" => "int data"
// rewrite "*list_head = xzalloc(sizeof(llist_t));" => "llist_t *node = xzalloc(sizeof(llist_t));\n\t*list_head = node;"

// extract busybox_llist_unlink FAST_FUNC=

// twin "while (*list_head)" => "while (*list_head && (*list_head)->link)"
// twin 2 "*head = (*head)->link;" => "*head = elm;"
// twin 3 "if (*head == elm)" => "if ((*head)->link == elm)"

void test(llist_t *list, llist_t *same, int datum) {
    llist_t *copy = same;
    for (llist_t *node = list; node != NULL; node = node->link) {
        __VERIFIER_assume(copy != NULL && node->data == copy->data);
        copy = copy->link;
    }
    __VERIFIER_assume(copy == NULL);
    llist_add_to_end(&list, datum);
    __VERIFIER_assert(list != NULL);
    llist_t *last = list;
    while (last->link != NULL)
        last = last->link;
    __VERIFIER_assert(last->data == datum);
    llist_unlink(&list, last);
    for (llist_t *node = list; node != NULL; node = node->link) {
        __VERIFIER_assert(same != NULL && node->data == same->data);
        same = same->link;
    }
    __VERIFIER_assert(same == NULL);
}
