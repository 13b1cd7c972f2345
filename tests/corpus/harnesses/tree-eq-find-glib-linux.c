/* GLib and Linux find the same node of a search tree. */

// include verifier.h
// include glib.h
// include glib-data.h
// include search.h
// include glib-tree.h

// extract glib_g_tree_find_node
// rewrite "tree->key_compare (key, node->key, tree->key_compare_data)" => "compar (key, node->key)"

// extract linux_rb_find __always_inline=inline rb_left=left rb_right=right
// rewrite "static inline struct rb_node *" => "static GTreeNode *"
// rewrite "const void *key, const struct rb_root *tree,\n\tint (*cmp)(const void *key, const struct rb_node *))" => "int key, const GTree *tree)"
// rewrite "struct rb_node *node = tree->rb_node;" => "GTreeNode *node = tree->root;"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

// twin "else if (cmp < 0)" => "else if (cmp > 0)"
// twin 2 "else if (c > 0)" => "else if (c > 1)"
// twin 3 "if (!node->left_child)" => "if (!node->right_child)"

void test(GTreeNode *root, int key) {
    GTree tree;
    tree.root = root;
    require_flags_on_way(root, key);
    __VERIFIER_assert(g_tree_find_node(&tree, key) == rb_find(key, &tree));
}
