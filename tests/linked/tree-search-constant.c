/* Looks for a value in a tree: where the walk ends, it stands. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    struct node *at = root;
    while (at && at->data != 1)
        at = __VERIFIER_nondet_int() ? at->left : at->right;
    if (at)
        __VERIFIER_assert(at->data == 1);
}
