/* Balancing a node of one of GLib's trees keeps what is found. */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_node_rotate_left

// extract glib_g_tree_node_rotate_right

// extract glib_g_tree_node_balance

// extract glib_g_tree_find_node
// rewrite "tree->key_compare (key, node->key, tree->key_compare_data)" => "compar (key, node->key)"

// twin "node->right = g_tree_node_rotate_right (node->right);" => "g_tree_node_rotate_right (node->right);"
// twin 2 "else if (node->balance > 1)\n    {" => "else if (node->balance > 0)\n    {"
// twin 3 "node->right = right->left;" => "node->right = right->right;"

void test(GTreeNode *node, int key) {
    GTree tree;
    tree.root = node;
    require_flags_on_way(node, key);
    __VERIFIER_assume(node != NULL);
    require_flags(node);
    /* A node out of balance has the children that rotations want; those that change their places are in order. */
    if (node->balance < -1) {
        GTreeNode *left = node->left;
        __VERIFIER_assume(left != NULL && left->key < node->key);
        require_flags(left);
        if (left->balance > 0) {
            __VERIFIER_assume(left->right != NULL && left->key < left->right->key && left->right->key < node->key);
            require_flags(left->right);
        }
    } else if (node->balance > 1) {
        GTreeNode *right = node->right;
        __VERIFIER_assume(right != NULL && node->key < right->key);
        require_flags(right);
        if (right->balance < 0) {
            __VERIFIER_assume(right->left != NULL && node->key < right->left->key && right->left->key < right->key);
            require_flags(right->left);
        }
    }
    __VERIFIER_assume(g_tree_find_node(&tree, key) != NULL);
    tree.root = g_tree_node_balance(node);
    GTreeNode *found = g_tree_find_node(&tree, key);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
