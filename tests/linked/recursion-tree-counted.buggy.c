/* The nodes of a search tree are counted, those on either side by a call of their own: below leaves too. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        tree = malloc(sizeof *tree);
        if (!tree)
            abort();
        tree->key = key;
        tree->left = tree->right = 0;
        return tree;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else
        tree->right = insert(tree->right, key);
    return tree;
}

static unsigned count(const struct tree *tree) {
    return 1 + count(tree->left) + count(tree->right);
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

unsigned test(void) {
    struct tree *tree = 0;
    while (__VERIFIER_nondet_int())
        tree = insert(tree, __VERIFIER_nondet_int());
    unsigned nodes = count(tree);
    destroy(tree);
    return nodes;
}
