/* A node of one of GLib's trees rotated to the left and back again has the same links. */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_node_rotate_left

// extract glib_g_tree_node_rotate_right

// twin "node->right = right->left;" => "node->right = right->right;"
// twin 2 "node->right_child = FALSE;" => "node->left_child = FALSE;"
// twin 3 "left->right = node;" => ""

void test(GTreeNode *node) {
    __VERIFIER_assume(node != NULL && node->right != NULL);
    require_flags(node);
    require_flags(node->right);
    GTreeNode *left = node->left, *right = node->right;
    GTreeNode *inner = right->left, *outer = right->right;
    _Bool has_left = node->left_child, has_inner = right->left_child, has_outer = right->right_child;
    __VERIFIER_assert(g_tree_node_rotate_right(g_tree_node_rotate_left(node)) == node);
    __VERIFIER_assert(node->right_child && node->right == right);
    __VERIFIER_assert(node->left_child == has_left && node->left == left);
    __VERIFIER_assert(right->left_child == has_inner && (!has_inner || right->left == inner));
    __VERIFIER_assert(right->right_child == has_outer && right->right == outer);
}
