/* A search tree whose children are an array, taken by a comparison. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct tree { int key; struct tree *link[2]; };

static struct tree *find(struct tree *tree, int key) {
    while (tree && tree->key != key)
        tree = tree->link[tree->key < key];
    return tree;
}

static struct tree *rotate(struct tree *root, int direction) {
    struct tree *top = root->link[!direction];
    root->link[!direction] = top->link[direction];
    top->link[direction] = root;
    return top;
}

void test(struct tree *tree, int key, int direction) {
    __VERIFIER_assume(tree && (direction == 0 || direction == 1) && tree->link[!direction]);
    int was = tree->key, above = tree->link[!direction]->key;
    __VERIFIER_assume(direction ? above < was : above > was);
    struct tree *middle = tree->link[!direction]->link[direction];
    if (middle)
        __VERIFIER_assume(direction ? above < middle->key && middle->key < was : was < middle->key && middle->key < above);
    struct tree *found = find(tree, middle ? middle->key : was);
    tree = rotate(tree, direction);
    __VERIFIER_assert(find(tree, middle ? middle->key : was) == found);
}
