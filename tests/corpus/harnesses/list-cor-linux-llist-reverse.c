/* One of Linux's lock-less lists reversed twice has the same order. */

// include verifier.h

struct llist_node {
    struct llist_node *next;
    int payload;
};

// extract linux_llist_reverse_order

// twin "while (head)" => "while (head && head->next)"
// twin 2 "tmp->next = new_head;" => "tmp->next = new_head ? new_head->next : NULL;"

void test(struct llist_node *list, struct llist_node *same) {
    struct llist_node *copy = same;
    for (struct llist_node *node = list; node != NULL; node = node->next) {
        __VERIFIER_assume(copy != NULL && node->payload == copy->payload);
        copy = copy->next;
    }
    __VERIFIER_assume(copy == NULL);
    list = llist_reverse_order(llist_reverse_order(list));
    for (; list != NULL; list = list->next) {
        __VERIFIER_assert(same != NULL && list->payload == same->payload);
        same = same->next;
    }
    __VERIFIER_assert(same == NULL);
}
