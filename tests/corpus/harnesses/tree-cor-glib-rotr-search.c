/* Rotating a node of one of GLib's trees to the right keeps what is found. */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_node_rotate_right

// extract glib_g_tree_find_node
// rewrite "tree->key_compare (key, node->key, tree->key_compare_data)" => "compar (key, node->key)"

// twin "node->left = left->right;" => "node->left = left->left;"
// twin 2 "left->right_child = TRUE;" => ""
// twin 3 "left->right = node;" => "left->left = node;"

void test(GTreeNode *node, int key) {
    GTree tree;
    tree.root = node;
    require_flags_on_way(node, key);
    __VERIFIER_assume(node != NULL && node->left != NULL);
    require_flags(node);
    require_flags(node->left);
    /* These two are in order; nothing is known of the others. */
    __VERIFIER_assume(node->left->key < node->key);
    __VERIFIER_assume(g_tree_find_node(&tree, key) != NULL);
    tree.root = g_tree_node_rotate_right(node);
    GTreeNode *found = g_tree_find_node(&tree, key);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
