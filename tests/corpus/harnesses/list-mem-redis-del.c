/* Redis deletes any node of a list safely; what is reached from head and tail afterwards is alive. */

// include verifier.h
// include redis-list.h

// extract redis_listDelNode zfree=free
// rewrite "    if (list->free) list->free(node->value);\n" => ""

// twin "list->tail = node->prev;" => ";"
// twin 2 "node->next->prev = node->prev;" => ";"
// twin 3 "node->prev->next = node->next;" => ";"

void test(listNode *first, int position) {
    list l;
    make_list(&l, first);
    listNode *node = first;
    for (; node != NULL && position > 0; position--)
        node = node->next;
    __VERIFIER_assume(node != NULL);
    listDelNode(&l, node);
    unsigned long ahead = 0, back = 0;
    for (node = l.head; node != NULL; node = node->next)
        ahead++;
    for (node = l.tail; node != NULL; node = node->prev)
        back++;
    __VERIFIER_assert(ahead == l.len && back == l.len);
}
