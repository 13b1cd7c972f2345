/* The walk of Deutsch, Schorr and Waite marks all nodes of a tree. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    struct node *at = root, *stack = 0;
    if (at)
        at->data = 0;
    for (;;) {
        if (at && at->data == 0) {
            struct node *next = at->left;
            at->data = 1;
            at->left = stack;
            stack = at;
            at = next;
        } else if (!stack) {
            break;
        } else if (stack->data == 1) {
            struct node *up = stack->left;
            stack->data = at ? 2 : 1 + 2 * !stack->right;
            stack->left = at;
            at = stack->right;
            stack->right = up;
        } else {
            struct node *up = stack->right;
            stack->right = at;
            at = stack;
            stack = up;
            continue;
        }
        if (at)
            at->data = 0;
    }
    while (at) {
        __VERIFIER_assert(at->data == 2);
        at = __VERIFIER_nondet_int() ? at->left : at->right;
    }
}
