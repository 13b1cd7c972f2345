/* A tree that was walked through is whole behind that: it is mirrored, its first key is read, and it is freed. */
extern void free(void *block);

struct tree {
    struct tree *left, *right;
    int key;
};

static void mirror(struct tree *tree) {
    if (!tree)
        return;
    struct tree *left = tree->left;
    tree->left = tree->right;
    tree->right = left;
    mirror(tree->left);
    mirror(tree->right);
}

static int first(struct tree *tree) {
    int key = 0;
    while (tree) {
        key = tree->key;
        tree = tree->left;
    }
    return key;
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

void test(struct tree *tree) {
    mirror(tree);
    first(tree);
    destroy(tree);
}
