/* A key that was inserted is found. */

extern void *malloc(unsigned long size);
extern void abort(void);
extern void __VERIFIER_assert(int condition);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *tree, int key) {
    if (!tree) {
        tree = malloc(sizeof *tree);
        if (!tree)
            abort();
        tree->left = tree->right = 0;
        tree->key = key;
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else if (key > tree->key) {
        tree->right = insert(tree->right, key);
    }
    return tree;
}

static int contains(const struct tree *tree, int key) {
    if (!tree)
        return 0;
    if (key == tree->key)
        return 1;
    return contains(key < tree->key ? tree->left : tree->right, key);
}

void test(struct tree *tree, int key) {
    tree = insert(tree, key);
    __VERIFIER_assert(contains(tree, key));
}
