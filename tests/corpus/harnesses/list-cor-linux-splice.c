/* One of Linux's rings spliced into another gives a ring of both lengths together. */

// include verifier.h
// include linux-list.h

// extract linux___list_splice

// twin "last->next = next;" => "first->next = next;"
// twin 2 "first->prev = prev;" => ""
// twin 3 "next->prev = last;" => "next->prev = first;"

void test(struct list_head *a, struct list_head *b) {
    /* An empty ring is never spliced. */
    __VERIFIER_assume(a != NULL);
    struct list_head list, head;
    make_ring(&list, a);
    make_ring(&head, b);
    unsigned sum = ring_length(&list) + ring_length(&head);
    __list_splice(&list, &head, head.next);
    __VERIFIER_assert(ring_length(&head) == sum);
    __VERIFIER_assert(head.next == a);
}
