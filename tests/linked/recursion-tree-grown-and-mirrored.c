/* A tree of any shape is grown down from its root, mirrored, and freed. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *grown(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    struct tree *tree = malloc(sizeof *tree);
    if (!tree)
        return 0;
    tree->key = __VERIFIER_nondet_int();
    tree->left = grown();
    tree->right = grown();
    return tree;
}

static void mirror(struct tree *tree) {
    if (!tree)
        return;
    struct tree *left = tree->left;
    tree->left = tree->right;
    tree->right = left;
    mirror(tree->left);
    mirror(tree->right);
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

void test(void) {
    struct tree *tree = grown();
    mirror(tree);
    destroy(tree);
}
