/* Any entry of one of Linux's rings moved to the front is the first one, and the ring stays well formed and as long. */

// include verifier.h
// include linux-list.h

// extract linux___list_add

// extract linux_list_add

// extract linux___list_del

// extract linux___list_del_entry

// extract linux_list_move

// twin "__list_del(entry->prev, entry->next);" => "__list_del(entry->prev, entry);"
// twin 2 "next->prev = prev;" => ""
// twin 3 "__list_add(new, head, head->next);" => "__list_add(new, head->next, head);"

void test(struct list_head *first, int position) {
    struct list_head head;
    make_ring(&head, first);
    struct list_head *entry = first;
    for (; entry != NULL && position > 0; position--)
        entry = entry->next != &head ? entry->next : NULL;
    __VERIFIER_assume(entry != NULL);
    unsigned before = ring_length(&head);
    list_move(entry, &head);
    __VERIFIER_assert(head.next == entry);
    __VERIFIER_assert(ring_length(&head) == before);
}
