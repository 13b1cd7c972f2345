/* Lists linked both ways that end with null pointers; a node holds a key, so that lists can be compared. */
struct node {
    struct node *next;
    struct node *prev;
    int key;
};

/* Keeps only lists of the same keys, and sets their pointers back, which inputs do not have. */
static void require_same(struct node *a, struct node *b) {
    struct node *before_a = NULL, *before_b = NULL;
    while (a != NULL && b != NULL) {
        __VERIFIER_assume(a->key == b->key);
        a->prev = before_a;
        b->prev = before_b;
        before_a = a;
        before_b = b;
        a = a->next;
        b = b->next;
    }
    __VERIFIER_assume(a == NULL && b == NULL);
}

/* Fails where two lists differ in their keys, or where the two directions of one are not inverse. */
static void assert_same(struct node *a, struct node *b) {
    struct node *before_a = NULL, *before_b = NULL;
    while (a != NULL && b != NULL) {
        __VERIFIER_assert(a->key == b->key);
        __VERIFIER_assert(a->prev == before_a && b->prev == before_b);
        before_a = a;
        before_b = b;
        a = a->next;
        b = b->next;
    }
    __VERIFIER_assert(a == NULL && b == NULL);
}

/* The node at a place counted from 0, or NULL. */
static struct node *nth(struct node *list, int place) {
    __VERIFIER_assume(place >= 0);
    for (; list != NULL && place > 0; place--)
        list = list->next;
    return list;
}
