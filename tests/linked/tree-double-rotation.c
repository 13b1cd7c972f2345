/* A double rotation at the root of a search tree keeps what is found. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { int key; struct node *left, *right; };

static struct node *find(struct node *node, int key) {
    while (node && node->key != key)
        node = key < node->key ? node->left : node->right;
    return node;
}

void test(struct node *root, int key) {
    if (!root || !root->left || !root->left->right)
        return;
    struct node *low = root->left, *middle = low->right;
    __VERIFIER_assume(low->key < middle->key && middle->key < root->key);
    if (!find(root, key))
        return;
    low->right = middle->left;
    root->left = middle->right;
    middle->left = low;
    middle->right = root;
    struct node *found = find(middle, key);
    __VERIFIER_assert(found && found->key == key);
}
