/* Linux finds a first node with a key exactly where it finds one. */

// include verifier.h
// include search.h
// include linux-rbtree.h

// extract linux_rb_find __always_inline=inline
// rewrite "const void *key, const struct rb_root *tree,\n\tint (*cmp)(const void *key, const struct rb_node *))" => "int key, const struct rb_root *tree)"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

// extract linux_rb_find_first __always_inline=inline
// rewrite "const void *key, const struct rb_root *tree,\n\t      int (*cmp)(const void *key, const struct rb_node *))" => "int key, const struct rb_root *tree)"
// rewrite "cmp(key, node)" => "compar(key, node->key)"

// twin "struct rb_node *match = NULL;" => "struct rb_node *match = tree->rb_node;"
// twin 2 "if (!c)" => "if (c)"
// twin 3 "match = node;" => "match = node->rb_left;"

void test(struct rb_node *root, int key) {
    struct rb_root tree;
    tree.rb_node = root;
    struct rb_node *first = rb_find_first(key, &tree);
    __VERIFIER_assert((first == NULL) == (rb_find(key, &tree) == NULL));
    __VERIFIER_assert(first == NULL || first->key == key);
}
