/* A rotation to the left anywhere in a tree. */
extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    if (!root)
        return;
    struct node *above = 0, *at = root;
    while (__VERIFIER_nondet_int()) {
        struct node *child = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!child)
            break;
        above = at;
        at = child;
    }
    struct node *right = at->right;
    if (at) {
        at->right = right->left;
        right->left = at;
        if (!above)
            root = right;
        else if (above->left == at)
            above->left = right;
        else
            above->right = right;
    }
    while (root)
        root = __VERIFIER_nondet_int() ? root->left : root->right;
}
