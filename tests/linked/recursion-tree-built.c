/* Keys are put into a search tree, which is freed then. */

extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (!leaf)
            abort();
        leaf->left = leaf->right = 0;
        leaf->key = key;
        return leaf;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return tree;
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

void test(void) {
    struct tree *tree = 0;
    while (__VERIFIER_nondet_int())
        tree = insert(tree, __VERIFIER_nondet_int());
    destroy(tree);
}
