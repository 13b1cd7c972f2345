/* A tree is freed with a stack that is a list: what is on the stack is never NULL. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void abort(void);

struct tree { struct tree *left, *right; };
struct frame { struct frame *below; struct tree *tree; };

static void push(struct frame **top, struct tree *tree) {
    struct frame *frame = malloc(sizeof *frame);
    if (!frame)
        abort();
    frame->tree = tree;
    frame->below = *top;
    *top = frame;
}

void test(struct tree *root) {
    struct frame *top = 0;
    if (root)
        push(&top, root);
    while (top) {
        struct frame *frame = top;
        struct tree *tree = frame->tree;
        top = frame->below;
        free(frame);
        if (tree->left)
            push(&top, tree->left);
        push(&top, tree->right);
        free(tree);
    }
}
