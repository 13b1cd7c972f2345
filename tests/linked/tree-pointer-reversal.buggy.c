/* A tree is walked without a stack by reversing pointers, with marks (Deutsch, Schorr and Waite). */
struct node { struct node *left, *right; int data; };

void test(struct node *root) {
    struct node *at = root, *stack = 0;
    for (;;) {
        if (at && at->data == 0) {
            struct node *next = at->left;
            at->data = 1;
            at->left = stack;
            stack = at;
            at = next;
        } else if (stack->data == 1) {
            struct node *up = stack->left;
            stack->data = 2;
            stack->left = at;
            at = stack->right;
            stack->right = up;
        } else {
            struct node *up = stack->right;
            stack->right = at;
            at = stack;
            stack = up;
        }
    }
}
