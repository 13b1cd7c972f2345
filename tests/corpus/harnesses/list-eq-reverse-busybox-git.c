/* BusyBox and git reverse equal lists into equal lists. */

// include verifier.h
// include busybox-list.h

/* Integers in place of git's commits. */
struct commit_list {
    int item;
    struct commit_list *next;
};

// extract busybox_llist_rev FAST_FUNC=

// extract git_reverse_commit_list

// twin "for (current = list; current; current = backup)" => "for (current = list; current && current->next; current = backup)"
// twin 2 "list->link = rev;" => "list->link = rev ? rev->link : NULL;"

void test(llist_t *a, struct commit_list *b) {
    struct commit_list *equal = b;
    for (llist_t *node = a; node != NULL; node = node->link) {
        __VERIFIER_assume(equal != NULL && node->data == equal->item);
        equal = equal->next;
    }
    __VERIFIER_assume(equal == NULL);
    a = llist_rev(a);
    b = reverse_commit_list(b);
    for (; a != NULL; a = a->link) {
        __VERIFIER_assert(b != NULL && a->data == b->item);
        b = b->next;
    }
    __VERIFIER_assert(b == NULL);
}
