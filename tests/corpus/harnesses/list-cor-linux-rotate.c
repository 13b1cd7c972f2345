/* Rotating one of Linux's rings to the left makes its second entry the first, and its first the last. */

// include verifier.h
// include linux-list.h

// extract linux_list_empty

// extract linux___list_add

// extract linux_list_add_tail

// extract linux___list_del

// extract linux___list_del_entry

// extract linux_list_move_tail

// extract linux_list_rotate_left

// twin "first = head->next;" => "first = head->prev;"
// twin 2 "next->prev = prev;" => ""
// twin 3 "__list_add(new, head->prev, head);" => "__list_add(new, head, head->next);"

void test(struct list_head *first) {
    __VERIFIER_assume(first != NULL);
    struct list_head *second = first->next;
    struct list_head head;
    make_ring(&head, first);
    unsigned before = ring_length(&head);
    list_rotate_left(&head);
    __VERIFIER_assert(head.next == (second != NULL ? second : first));
    __VERIFIER_assert(head.prev == first);
    __VERIFIER_assert(ring_length(&head) == before);
}
