/* One child is lost, and the other one, which is on both sides, is freed twice. */

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
    tree->left = tree->right;
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
