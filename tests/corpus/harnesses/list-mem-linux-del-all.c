/* A walk along one of Linux's rings that knows the next entry may delete and free each entry. */

// include verifier.h
// include linux-list.h

// extract linux___list_del

// twin "next->prev = prev;" => ""
// twin 2 "following = entry->next;" => "following = entry;"
// twin 3 "WRITE_ONCE(prev->next, next);" => ""

void test(struct list_head *first) {
    struct list_head head;
    make_ring(&head, first);
    struct list_head *following;
    for (struct list_head *entry = head.next; entry != &head; entry = following) {
        following = entry->next;
        __list_del(entry->prev, entry->next);
        free(entry);
        __VERIFIER_assert(head.next == following);
    }
    __VERIFIER_assert(head.next == &head && head.prev == &head);
}
