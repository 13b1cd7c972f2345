/* A tree grows at arbitrary places, and is then taken down leaf by leaf: the way down asks for a child before it goes there. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

struct node {
    struct node *left, *right;
};

static void grow(struct node **place) {
    while (*place)
        place = __VERIFIER_nondet_int() ? &(*place)->left : &(*place)->right;
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->left = node->right = 0;
    *place = node;
}

static void take_leaf(struct node **place) {
    while ((*place)->left || (*place)->right)
        place = (*place)->left ? &(*place)->left : &(*place)->right;
    free(*place);
}

void test(void) {
    struct node *root = 0;
    while (__VERIFIER_nondet_int())
        grow(&root);
    while (root)
        take_leaf(&root);
}
