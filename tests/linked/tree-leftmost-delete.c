/* The leftmost node of a tree is taken out. */
extern int __VERIFIER_nondet_int(void);
extern void free(void *block);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    if (!root)
        return;
    struct node *above = 0, *at = root;
    while (at->left) {
        above = at;
        at = at->left;
    }
    if (above)
        above->left = at->right;
    else
        root = at->right;
    free(at);
    while (root)
        root = __VERIFIER_nondet_int() ? root->left : root->right;
}
