/* The height of a tree. */

struct tree {
    struct tree *left, *right;
    int key;
};

static int height(const struct tree *tree) {
    if (!tree)
        return 0;
    int left = height(tree->left), right = height(tree->right);
    return 1 + (left > right ? left : right);
}

void test(struct tree *tree) {
    height(tree);
}
