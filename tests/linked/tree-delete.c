/* A node anywhere in a tree is taken out: in its place comes a child where the other one is missing, or else the leftmost node on its right. */
extern int __VERIFIER_nondet_int(void);
extern void free(void *block);

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
    struct node *heir;
    if (!at->left) {
        heir = at->right;
    } else if (!at->right) {
        heir = at->left;
    } else {
        struct node *before = 0;
        heir = at->right;
        while (heir->left) {
            before = heir;
            heir = heir->left;
        }
        if (before) {
            before->left = heir->right;
            heir->right = at->right;
        }
        heir->left = at->left;
    }
    if (!above)
        root = heir;
    else if (above->left == at)
        above->left = heir;
    else
        above->right = heir;
    free(at);
    while (root)
        root = __VERIFIER_nondet_int() ? root->left : root->right;
}
