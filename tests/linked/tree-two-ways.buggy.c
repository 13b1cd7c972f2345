/* A node is put below the leftmost one of a tree: what a search has found before, it finds again. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int key; struct node *left, *right; };

static struct node *find(struct node *at, int key) {
    while (at && at->key != key)
        at = key < at->key ? at->left : at->right;
    return at;
}

void test(struct node *root, int key) {
    __VERIFIER_assume(root != 0);
    struct node *least = root;
    while (least->left)
        least = least->left;
    __VERIFIER_assume(find(root, key) != 0);
    struct node *new = malloc(sizeof(struct node));
    if (!new)
        return;
    new->key = least->key;
    new->left = new->right = 0;
    new->right = least->left; least->right = new;
    __VERIFIER_assert(find(root, key) != 0);
}
