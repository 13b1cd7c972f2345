/* A tree is made from below: its levels hold 1 and 2 in turn, which a walk down to anywhere sees. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);
extern void *malloc(unsigned long size);

struct node { int mark; struct node *left, *right; };

void test(void) {
    struct node *root = 0, *other = 0;
    int mark = 1;
    while (__VERIFIER_nondet_int()) {
        struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
        if (!first || !second)
            return;
        first->mark = second->mark = mark;
        first->left = root;
        first->right = 0;
        second->left = other;
        second->right = 0;
        if (__VERIFIER_nondet_int()) {
            first->right = other;
            second->left = 0;
        }
        root = first;
        other = second;
        mark = 3 - mark;
    }
    while (root) {
        mark = 3 - mark;
        __VERIFIER_assert(root->mark == mark);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
}
