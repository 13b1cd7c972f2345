/* Counted from either end, the last node of one of Redis' lists is its tail. */

// include verifier.h
// include redis-list.h

// extract redis_listIndex

// twin "index = (-index)-1;" => "index = -index;"
// twin 2 "n = n->prev;" => "n = n->next;"
// twin 2 "index = (-index)-1;" => "index = -index - 2;"

void test(listNode *first) {
    list l;
    make_list(&l, first);
    __VERIFIER_assert(listIndex(&l, -1) == l.tail);
    if (l.len > 0)
        __VERIFIER_assert(listIndex(&l, (long)l.len - 1) == l.tail);
}
