/* A tree that grows anywhere is taken down with a stack of nodes still to be seen; every node has the key that it was given. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);
extern void __VERIFIER_assert(int condition);

struct tree {
    int key;
    struct tree *left, *right;
};

struct waiting {
    struct tree *tree;
    struct waiting *below;
};

static void *get(unsigned long size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static void push(struct waiting **stack, struct tree *tree) {
    if (!tree)
        return;
    struct waiting *top = get(sizeof *top);
    top->tree = tree;
    top->below = *stack;
    *stack = top;
}

void test(void) {
    struct tree *root = 0;
    while (__VERIFIER_nondet_int()) {
        struct tree **place = &root;
        while (*place)
            place = __VERIFIER_nondet_int() ? &(*place)->left : &(*place)->right;
        struct tree *leaf = get(sizeof *leaf);
        leaf->key = 5;
        leaf->left = leaf->right = 0;
        *place = leaf;
    }
    struct waiting *stack = 0;
    push(&stack, root);
    while (stack) {
        struct waiting *top = stack;
        struct tree *tree = top->tree;
        stack = top->below;
        free(top);
        __VERIFIER_assert(tree->key == 5);
        push(&stack, tree->left);
        free(tree);
        push(&stack, tree->right);
    }
}
