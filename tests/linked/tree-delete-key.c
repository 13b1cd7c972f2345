/* The node of a key is taken out of a tree: in its place comes the only child, or else the leftmost node on its right. The key is not found any
   more. Which child is missing, the program finds out in loops that are over when it looks for the key once more. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void free(void *block);

struct node { int key; struct node *left, *right; };

static struct node **find(struct node **link, int key) {
    while (*link && (*link)->key != key)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    return link;
}

static struct node *heir(struct node *node) {
    struct node *right = node->right;
    if (!node->left)
        return right;
    if (!right)
        return node->left;
    struct node *least = right;
    if (right->left) {
        for (least = right->left; least->left; least = right->left)
            right = least;
        right->left = least->right;
        least->right = node->right;
    }
    least->left = node->left;
    return least;
}

void test(struct node *root, int key) {
    struct node *node = *find(&root, key);
    __VERIFIER_assume(node != 0);
    /* Where the search would go on below. */
    for (struct node *right = node->right; right; right = right->left)
        __VERIFIER_assume(key < right->key);
    for (struct node *left = node->left; left; left = left->right)
        __VERIFIER_assume(left->key < key);
    struct node **link = find(&root, key);
    struct node *next = heir(*link);
    free(*link);
    *link = next;
    __VERIFIER_assert(!*find(&root, key));
}
