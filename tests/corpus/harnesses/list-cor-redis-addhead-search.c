/* What is added at the head of one of Redis' lists is found in it. */

// include verifier.h
// include redis-list.h

// extract redis_listAddNodeHead zmalloc=malloc
// rewrite "void *value" => "int value"

// extract redis_listRewind

// extract redis_listNext

// extract redis_listSearchKey
// rewrite "void *key" => "int key"
// rewrite "if (list->match) {\n            if (list->match(node->value, key)) {\n                return node;\n            }\n        } else {" => "{"

// twin "list->head = node;" => "list->tail = node;"
// twin 2 "node->next = list->head;" => "node->next = list->head->next;"
// twin 3 "iter->next = current->next;" => "iter->next = current->next ? current->next->next : NULL;"

void test(listNode *first, int value, int other) {
    list l;
    make_list(&l, first);
    int was_found = listSearchKey(&l, other) != NULL;
    if (!listAddNodeHead(&l, value))
        __VERIFIER_ignore();
    assert_well_formed(&l);
    listNode *found = listSearchKey(&l, value);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->value == value);
    __VERIFIER_assert(!was_found || listSearchKey(&l, other) != NULL);
}
