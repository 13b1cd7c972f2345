/* The tail of one of Redis' lists moved to the head, and back again, gives the same order. */

// include verifier.h
// include redis-list.h

// extract redis_listRotateTailToHead

// extract redis_listRotateHeadToTail

// twin "tail->next = list->head;" => "tail->next = list->head->next;"
// twin 2 "list->head->prev = NULL;" => ""
// twin 3 "list->tail->next = head;" => "list->tail->next = list->head;"

void test(listNode *first, listNode *same) {
    list l;
    make_list(&l, first);
    listNode *copy = same;
    for (listNode *node = first; node != NULL; node = node->next) {
        __VERIFIER_assume(copy != NULL && node->value == copy->value);
        copy = copy->next;
    }
    __VERIFIER_assume(copy == NULL);
    listRotateTailToHead(&l);
    listRotateHeadToTail(&l);
    assert_well_formed(&l);
    copy = same;
    for (listNode *node = l.head; node != NULL; node = node->next) {
        __VERIFIER_assert(copy != NULL && node->value == copy->value);
        copy = copy->next;
    }
    __VERIFIER_assert(copy == NULL);
}
