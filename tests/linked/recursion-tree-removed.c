/* A key is removed from a search tree: if its node has two children, the next greater key takes its place. */
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

static struct tree *removed(struct tree *tree, int key) {
    if (!tree)
        return 0;
    if (key < tree->key) {
        tree->left = removed(tree->left, key);
    } else if (key > tree->key) {
        tree->right = removed(tree->right, key);
    } else if (!tree->left) {
        struct tree *right = tree->right;
        free(tree);
        return right;
    } else if (!tree->right) {
        struct tree *left = tree->left;
        free(tree);
        return left;
    } else {
        struct tree *next = tree->right;
        while (next->left)
            next = next->left;
        tree->key = next->key;
        tree->right = removed(tree->right, next->key);
    }
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
    tree = removed(tree, 7);
    destroy(tree);
}
