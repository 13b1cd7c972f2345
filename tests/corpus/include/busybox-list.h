/* The lists of BusyBox; their data are integers, so that two can be equal. */
typedef struct llist_t {
    struct llist_t *link;
    int data;
} llist_t;

/* BusyBox ends the program where there is no memory; what it allocates is zero. */
static llist_t *xzalloc(size_t size) {
    llist_t *node = malloc(size);
    __VERIFIER_assume(node != NULL);
    node->link = NULL;
    node->data = 0;
    return node;
}
