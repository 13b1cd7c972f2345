/* A rotation below the root of a search tree changes nothing of what is found. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right; long key; };

static int contains(struct node *node, long key) {
    while (node) {
        if (node->key == key)
            return 1;
        node = node->key < key ? node->right : node->left;
    }
    return 0;
}

void test(struct node *root, long key) {
    if (!root || !root->right || !root->right->left)
        return;
    struct node *upper = root->right, *lower = upper->left;
    __VERIFIER_assume(lower->key < upper->key);
    int was = contains(root, key);
    upper->left = lower->right;
    lower->right = upper;
    root->right = lower;
    __VERIFIER_assert(contains(root, key) == was);
}
