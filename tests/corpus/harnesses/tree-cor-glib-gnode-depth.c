/* A node that GLib inserts under a parent is one level deeper. */

// include verifier.h
// include glib.h
// include glib-node.h

// extract glib_g_node_insert_before

// extract glib_g_node_depth

// twin "node->parent = parent;" => "node->parent = sibling ? sibling : parent;"
// twin 2 "depth++;\n      node = node->parent;" => "node = node->parent;\n      if (node)\n        depth++;"
// twin 3 "while (sibling->next)\n\t    sibling = sibling->next;" => ""

void test(GNode *root, GNode *node, int levels, int place) {
    __VERIFIER_assume(root != NULL && node != NULL);
    node->parent = node->prev = node->next = NULL;
    GNode *parent = descend(root, levels);
    guint before = 0;
    for (GNode *child = parent->children; child != NULL; child = child->next)
        before++;
    g_node_insert_before(parent, nth_child(parent, place), node);
    __VERIFIER_assert(g_node_depth(node) == g_node_depth(parent) + 1);
    guint after = 0;
    GNode *last = NULL;
    for (GNode *child = parent->children; child != NULL; child = child->next) {
        __VERIFIER_assert(child->prev == last);
        last = child;
        after++;
    }
    __VERIFIER_assert(after == before + 1);
    __VERIFIER_assert(g_node_depth(root) == 1);
}
