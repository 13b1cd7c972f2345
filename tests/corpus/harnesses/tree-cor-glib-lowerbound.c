/* For a key that a tree holds, GLib's lower bound is a node with this key. */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_lower_bound
// rewrite "tree->key_compare (key, node->key, tree->key_compare_data)" => "compar (key, node->key)"

// extract glib_g_tree_find_node
// rewrite "tree->key_compare (key, node->key, tree->key_compare_data)" => "compar (key, node->key)"

// twin "if (cmp <= 0)" => "if (cmp < 0)"
// twin 2 "result = node;" => "result = node->left_child ? node->left : node;"

void test(GTreeNode *root, int key) {
    GTree tree;
    tree.root = root;
    require_flags_on_way(root, key);
    GTreeNode *present = g_tree_find_node(&tree, key);
    __VERIFIER_assume(present != NULL);
    /* Left of it no key is larger, on the way that the lower bound takes. */
    for (GTreeNode *node = present->left; node != NULL; node = key <= node->key ? node->left : node->right) {
        require_flags(node);
        __VERIFIER_assume(node->key <= key);
    }
    GTreeNode *bound = g_tree_lower_bound(&tree, key);
    __VERIFIER_assert(bound != NULL);
    __VERIFIER_assert(bound->key == key);
}
