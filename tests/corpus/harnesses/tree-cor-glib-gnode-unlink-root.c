/* A node that GLib unlinks from a tree is its own root. */

// include verifier.h
// include glib.h
// include glib-node.h

// extract glib_g_node_unlink

// extract glib_g_node_get_root

// twin "node->parent = NULL;" => ""
// twin 2 "node->next->prev = node->prev;\n      node->next = NULL;" => "node->next = NULL;"
// twin 3 "node->parent->children = node->next;" => ";"

void test(GNode *root, int levels, int place) {
    __VERIFIER_assume(root != NULL);
    GNode *parent = descend(root, levels);
    GNode *node = nth_child(parent, place);
    __VERIFIER_assume(node != NULL);
    g_node_unlink(node);
    __VERIFIER_assert(g_node_get_root(node) == node);
    __VERIFIER_assert(g_node_get_root(parent) == root);
    GNode *before = NULL;
    for (GNode *child = parent->children; child != NULL; child = child->next) {
        __VERIFIER_assert(child != node && child->prev == before);
        before = child;
    }
}
