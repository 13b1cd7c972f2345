/* A child is taken out of a node's list of children: the others still know the one before them. */
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);

struct node { struct node *next, *prev, *children; };

/* Lets every child point back to the one before it. */
static void link_back(struct node *parent) {
    struct node *before = 0;
    for (struct node *child = parent->children; child; child = child->next) {
        child->prev = before;
        before = child;
    }
}

/* The child at a place counted from 0, or NULL. */
static struct node *nth_child(struct node *parent, int place) {
    struct node *child = parent->children;
    for (; child && place > 0; place--)
        child = child->next;
    return child;
}

static void unlink_child(struct node *parent, struct node *child) {
    if (child->prev)
        child->prev->next = child->next;
    else
        parent->children = child->next;
    if (child->next)
        child->next->prev = child->prev;
    child->next = child->prev = 0;
}

void test(struct node *parent, int place) {
    __VERIFIER_assume(parent);
    link_back(parent);
    struct node *unlinked = nth_child(parent, place);
    __VERIFIER_assume(unlinked);
    unlink_child(parent, unlinked);
    struct node *before = 0;
    for (struct node *child = parent->children; child; child = child->next) {
        __VERIFIER_assert(child != unlinked && child->prev == before);
        before = child;
    }
}
