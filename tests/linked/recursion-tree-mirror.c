/* The children of all nodes are exchanged, and then the tree is freed. */

extern void free(void *block);

struct tree {
    struct tree *left, *right;
    int key;
};

static void mirror(struct tree *tree) {
    if (!tree)
        return;
    mirror(tree->left);
    mirror(tree->right);
    struct tree *left = tree->left;
    tree->left = tree->right;
    tree->right = left;
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
    destroy(tree);
}
