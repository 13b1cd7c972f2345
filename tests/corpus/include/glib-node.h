/* GLib's trees of nodes with any number of children. */
typedef struct _GNode GNode;
struct _GNode {
    GNode *next;
    GNode *prev;
    GNode *parent;
    GNode *children;
};
#define G_NODE_IS_ROOT(node) ((node)->parent == NULL && (node)->prev == NULL && (node)->next == NULL)

/* Makes a root of a node, and a tree of it and its children: sets their pointers up and back, which inputs do not have. */
static void link_children(GNode *node) {
    GNode *before = NULL;
    for (GNode *child = node->children; child != NULL; child = child->next) {
        child->parent = node;
        child->prev = before;
        before = child;
    }
}

/* Descends to first children, so many levels; sets the pointers up and back on the way and of the children of the last node. */
static GNode *descend(GNode *root, int levels) {
    root->parent = root->prev = root->next = NULL;
    link_children(root);
    for (; levels > 0 && root->children != NULL; levels--) {
        root = root->children;
        link_children(root);
    }
    return root;
}

/* The child at a place counted from 0, or NULL. */
static GNode *nth_child(GNode *node, int place) {
    GNode *child = node->children;
    for (; child != NULL && place > 0; place--)
        child = child->next;
    return child;
}
