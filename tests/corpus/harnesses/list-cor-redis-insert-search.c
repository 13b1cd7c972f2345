/* What is inserted before or after any node of one of Redis' lists is found in it. */

// include verifier.h
// include redis-list.h

// extract redis_listInsertNode zmalloc=malloc
// rewrite "void *value" => "int value"

// extract redis_listRewind

// extract redis_listNext

// extract redis_listSearchKey
// rewrite "void *key" => "int key"
// rewrite "if (list->match) {\n            if (list->match(node->value, key)) {\n                return node;\n            }\n        } else {" => "{"

// twin "node->prev->next = node;" => "node->prev->next = node->next;"
// twin 2 "list->head = node;" => "list->tail = node;"
// twin 3 "node->next->prev = node;" => "node->next->prev = node->prev;"

void test(listNode *first, int position, int value, int after) {
    list l;
    make_list(&l, first);
    listNode *place = first;
    for (; place != NULL && position > 0; position--)
        place = place->next;
    __VERIFIER_assume(place != NULL);
    if (!listInsertNode(&l, place, value, after))
        __VERIFIER_ignore();
    assert_well_formed(&l);
    listNode *found = listSearchKey(&l, value);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->value == value);
}
