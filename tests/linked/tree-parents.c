/* A search tree with parent pointers: what is inserted is found, and its way up ends at the root. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct tree { int key; struct tree *parent, *left, *right; };

static void set_parents(struct tree *root) {
    struct tree *at = root;
    if (at)
        at->parent = 0;
    while (at) {
        if (at->left)
            at->left->parent = at;
        if (at->right)
            at->right->parent = at;
        at = at->left ? at->left : at->right;
    }
}

void test(struct tree *root, int key) {
    set_parents(root);
    struct tree *parent = 0, **link = &root;
    while (*link) {
        parent = *link;
        if (key == parent->key)
            return;
        link = key < parent->key ? &parent->left : &parent->right;
    }
    struct tree *node = malloc(sizeof *node);
    if (!node)
        return;
    node->key = key;
    node->left = node->right = 0;
    node->parent = parent;
    *link = node;
    struct tree *found = root;
    while (found && found->key != key)
        found = key < found->key ? found->left : found->right;
    __VERIFIER_assert(found == node);
    if (node != root)
        __VERIFIER_assert(node->parent->left == node || node->parent->right == node);
}
