/* Keeps only lists of the same keys, and closes them into rings. */
static void make_equal_rings(struct list_head *ring_a, struct list_head *a, struct list_head *ring_b, struct list_head *b) {
    struct list_head *x = a, *y = b;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        __VERIFIER_assume(x->key == y->key);
    __VERIFIER_assume(x == NULL && y == NULL);
    make_ring(ring_a, a);
    make_ring(ring_b, b);
}

/* Fails where two rings differ in their keys, or where the two directions of one are not inverse. */
static void assert_equal_rings(struct list_head *a, struct list_head *b) {
    struct list_head *x = a->next, *y = b->next;
    for (; x != a && y != b; x = x->next, y = y->next)
        __VERIFIER_assert(x->key == y->key);
    __VERIFIER_assert(x == a && y == b);
    ring_length(a);
    ring_length(b);
}
