/* What a search tree holds under a key is not what it holds under the next one. */
extern void __VERIFIER_assert(int condition);

struct node {
    int key;
    struct node *left, *right;
};

static struct node *find(struct node *tree, int key) {
    while (tree && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    return tree;
}

void test(struct node *tree, int key) {
    struct node *found = find(tree, key);
    __VERIFIER_assert(find(tree, key + 1) == found);
}
