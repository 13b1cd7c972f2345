/* Inserting into one of git's ordered lists keeps its keys strictly increasing, and its pointer to the last node right. */

// include verifier.h

/* A key is an integer here, in git the name of an object. */
struct llist_item {
    struct llist_item *next;
    int oid;
};
struct llist {
    struct llist_item *front;
    struct llist_item *back;
    size_t size;
};

static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

static struct llist_item *llist_item_get(void) {
    struct llist_item *item = malloc(sizeof(struct llist_item));
    __VERIFIER_assume(item != NULL);
    return item;
}

// extract git_llist_insert
// rewrite "const unsigned char *oid" => "int oid"
// rewrite "oidread(&new_item->oid, oid);" => "new_item->oid = oid;"

// extract git_llist_insert_back
// rewrite "const unsigned char *oid" => "int oid"

// extract git_llist_insert_sorted_unique
// rewrite "const struct object_id *oid" => "int oid"
// rewrite "oidcmp(&l->oid, oid)" => "compare(l->oid, oid)"
// rewrite "llist_insert(list, prev, oid->hash)" => "llist_insert(list, prev, oid)"
// rewrite "llist_insert_back(list, oid->hash)" => "llist_insert_back(list, oid)"

// twin "if (cmp > 0)" => "if (cmp >= 0)"
// twin 2 "if (after == list->back)\n\t\t\tlist->back = new_item;" => ""
// twin 3 "prev = l;" => ""

void test(struct llist_item *first, int key) {
    struct llist list;
    list.front = first;
    list.back = NULL;
    list.size = 0;
    for (struct llist_item *item = first; item != NULL; item = item->next) {
        __VERIFIER_assume(list.back == NULL || list.back->oid < item->oid);
        list.back = item;
        list.size++;
    }
    struct llist_item *inserted = llist_insert_sorted_unique(&list, key, NULL);
    __VERIFIER_assert(inserted->oid == key);
    struct llist_item *before = NULL;
    size_t size = 0;
    for (struct llist_item *item = list.front; item != NULL; item = item->next) {
        __VERIFIER_assert(before == NULL || before->oid < item->oid);
        before = item;
        size++;
    }
    __VERIFIER_assert(list.back == before);
    __VERIFIER_assert(list.size == size);
}
