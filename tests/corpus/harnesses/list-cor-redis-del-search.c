/* When the only node with a key is deleted from one of Redis' lists, the key is not found any more. */

// include verifier.h
// include redis-list.h

// extract redis_listDelNode zfree=free
// rewrite "    if (list->free) list->free(node->value);\n" => ""

// extract redis_listRewind

// extract redis_listNext

// extract redis_listSearchKey
// rewrite "void *key" => "int key"
// rewrite "if (list->match) {\n            if (list->match(node->value, key)) {\n                return node;\n            }\n        } else {" => "{"

// twin "node->prev->next = node->next;" => "node->prev->next = node;"
// twin 2 "list->head = node->next;" => "list->tail = node->next;"
// twin 3 "node->next->prev = node->prev;" => "node->next->prev = list->head;"

void test(listNode *first, int key) {
    list l;
    make_list(&l, first);
    listNode *only = listSearchKey(&l, key);
    __VERIFIER_assume(only != NULL);
    for (listNode *node = first; node != NULL; node = node->next)
        __VERIFIER_assume(node == only || node->value != key);
    listDelNode(&l, only);
    assert_well_formed(&l);
    __VERIFIER_assert(listSearchKey(&l, key) == NULL);
}
