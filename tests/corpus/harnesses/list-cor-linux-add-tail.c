/* An entry added at the tail of one of Linux's rings is the last one, and the two directions stay inverse. */

// include verifier.h
// include linux-list.h

// extract linux___list_add

// extract linux_list_add_tail

// twin "next->prev = new;" => "prev->next->prev = next;"
// twin 2 "__list_add(new, head->prev, head);" => "__list_add(new, head, head->next);"
// twin 3 "new->prev = prev;" => "new->prev = next;"

void test(struct list_head *first, struct list_head *entry) {
    __VERIFIER_assume(entry != NULL);
    struct list_head head;
    make_ring(&head, first);
    unsigned before = ring_length(&head);
    list_add_tail(entry, &head);
    __VERIFIER_assert(head.prev == entry);
    __VERIFIER_assert(ring_length(&head) == before + 1);
}
