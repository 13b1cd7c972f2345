/* A tree is freed, children first. */

extern void free(void *block);

struct tree {
    struct tree *left, *right;
    int key;
};

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    free(tree);
    destroy(tree->right);
}

void test(struct tree *tree) {
    destroy(tree);
}
