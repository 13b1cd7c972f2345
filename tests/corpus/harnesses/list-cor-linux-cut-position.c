/* One of Linux's rings cut behind any entry, or at its header, gives two rings whose lengths add up. */

// include verifier.h
// include linux-list.h

// extract linux_list_empty

// extract linux_list_is_singular

// extract linux_list_is_head

// extract linux_INIT_LIST_HEAD

// extract linux___list_cut_position

// extract linux_list_cut_position

// twin "list->next->prev = list;" => ""
// twin 2 "entry->next = list;" => "entry->next = head;"
// twin 3 "head->next = new_first;" => "head->next = new_first->next;"

void test(struct list_head *first, int position) {
    struct list_head head, list;
    make_ring(&head, first);
    INIT_LIST_HEAD(&list);
    struct list_head *entry = &head;
    for (; position > 0 && entry->next != &head; position--)
        entry = entry->next;
    unsigned before = ring_length(&head);
    list_cut_position(&list, &head, entry);
    __VERIFIER_assert(entry == &head || list.prev == entry);
    __VERIFIER_assert(ring_length(&list) + ring_length(&head) == before);
}
