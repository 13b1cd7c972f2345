/* A key that is put into a search tree, unless it is there already, is found. */
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);
extern void *malloc(unsigned long size);

struct node {
    int key;
    struct node *left, *right;
};

static struct node *find(struct node *tree, int key) {
    while (tree && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    return tree;
}

static struct node *insert(struct node *tree, int key) {
    struct node *above = 0;
    struct node *node = tree;
    while (node && node->key != key) {
        above = node;
        node = key < node->key ? node->left : node->right;
    }
    if (node)
        return tree;
    node = malloc(sizeof *node);
    __VERIFIER_assume(node != 0);
    node->key = key;
    node->left = 0;
    node->right = 0;
    if (!above)
        return node;
    if (key < above->key)
        above->left = node;
    else
        above->right = node;
    return tree;
}

void test(struct node *tree, int key) {
    tree = insert(tree, key);
    __VERIFIER_assert(find(tree, key) != 0);
}
