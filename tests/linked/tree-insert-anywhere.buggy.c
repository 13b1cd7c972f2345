/* A leaf is put anywhere into a tree. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->left = node->right = 0;
    node->data = 1;
    struct node **link = &root;
    while (*link)
        link = __VERIFIER_nondet_int() ? &(*link)->left : &(*link)->right;
    if (node->left)
        *link = node;
    __VERIFIER_assert(root != 0);
}
