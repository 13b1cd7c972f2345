/* GLib rotates any node to the left safely (it does not: the node needs a right child). */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_node_rotate_left

void test(GTreeNode *node) {
    __VERIFIER_assume(node != NULL);
    require_flags(node);
    g_tree_node_rotate_left(node);
}
