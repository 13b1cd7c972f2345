/* The two rotations of a splay tree lift a grandchild to the root and keep what is found. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right; int key; };

static struct node *find(struct node *node, int key) {
    while (node) {
        if (key < node->key)
            node = node->left;
        else if (key > node->key)
            node = node->right;
        else
            break;
    }
    return node;
}

static struct node *rotate_right(struct node *upper) {
    struct node *lower = upper->left;
    upper->left = lower->right;
    lower->right = upper->right;
    return lower;
}

void test(struct node *root, int key) {
    __VERIFIER_assume(root && root->left && root->left->left);
    __VERIFIER_assume(root->left->left->key < root->left->key && root->left->key < root->key);
    struct node *before = find(root, key);
    root = rotate_right(root);
    root = rotate_right(root);
    if (before)
        __VERIFIER_assert(find(root, key) == before);
}
