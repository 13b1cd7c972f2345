/* A search tree that the program makes itself, key by key, is searched, and freed. */
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
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else if (key > tree->key) {
        tree->right = insert(tree->right, key);
    }
    return tree;
}

static int contains(const struct tree *tree, int key) {
    while (tree && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    return tree != 0;
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int test(void) {
    struct tree *tree = 0;
    while (__VERIFIER_nondet_int())
        tree = insert(tree, __VERIFIER_nondet_int());
    int found = contains(tree, 10);
    destroy(tree);
    return found;
}
