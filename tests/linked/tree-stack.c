/* A walk through a binary tree with a stack that is a list: every node is seen once, and the stack is freed. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct tree { struct tree *left, *right; int seen; };
struct frame { struct tree *tree; struct frame *below; };

static int push(struct frame **top, struct tree *tree) {
    if (!tree)
        return 1;
    struct frame *frame = malloc(sizeof *frame);
    if (!frame)
        return 0;
    frame->tree = tree;
    frame->below = *top;
    *top = frame;
    return 1;
}

void test(struct tree *root) {
    struct frame *top = 0;
    if (!push(&top, root))
        return;
    while (top) {
        struct frame *frame = top;
        struct tree *tree = frame->tree;
        top = frame->below;
        free(frame);
        tree->seen = 1;
        if (!push(&top, tree->left) || !push(&top, tree->right))
            return;
    }
    if (root && root->right)
        __VERIFIER_assert(root->right->seen == 1);
}
