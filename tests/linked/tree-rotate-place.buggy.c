/* A node is rotated with its right child, wherever the way to a place ends: what a search for another key has found before, it finds again. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { int key; struct node *left, *right; };

static struct node *find(struct node *at, int key) {
    while (at && at->key != key)
        at = key < at->key ? at->left : at->right;
    return at;
}

void test(struct node *root, int place, int key) {
    struct node *upper = 0, *above = 0, *next = root;
    while (next) {
        above = upper;
        upper = next;
        next = place < upper->key ? upper->left : upper->right;
    }
    if (!upper || !upper->left)
        return;
    struct node *lower = upper->left;
    __VERIFIER_assume(lower->key < upper->key);
    __VERIFIER_assume(find(root, key) != 0);
    upper->left = lower->left;
    lower->right = upper;
    if (!above)
        root = lower;
    else if (above->left == upper)
        above->left = lower;
    else
        above->right = lower;
    __VERIFIER_assert(find(root, key) != 0);
}
