/* A rotation of musl's tsearch keeps what is found. */

// include verifier.h
// include search.h
// include musl-tree.h

// extract musl_height

// extract musl_rot
// rewrite "void **p" => "struct node **p"
// rewrite "struct node *y = x->a[dir];" => "struct node *y = *child(x, dir);"
// rewrite "struct node *z = y->a[!dir];" => "struct node *z = *child(y, !dir);"
// rewrite "height(y->a[dir])" => "height(*child(y, dir))"
// rewrite "x->a[dir] = z->a[!dir];" => "*child(x, dir) = *child(z, !dir);"
// rewrite "y->a[!dir] = z->a[dir];" => "*child(y, !dir) = *child(z, dir);"
// rewrite "z->a[!dir] = x;" => "*child(z, !dir) = x;"
// rewrite "z->a[dir] = y;" => "*child(z, dir) = y;"
// rewrite "x->a[dir] = z;" => "*child(x, dir) = z;"
// rewrite "y->a[!dir] = x;" => "*child(y, !dir) = x;"

// extract musl_tfind tfind=musl_tfind cmp=compar
// rewrite "const void *key, void *const *rootp,\n\tint(*compar)(const void *, const void *))" => "int key, struct node *const *rootp)"
// rewrite "n->a[c>0]" => "*child(n, c > 0)"

// twin "*child(x, dir) = *child(z, !dir);" => "*child(x, dir) = NULL;"
// twin 2 "*child(x, dir) = z;" => "*child(x, dir) = NULL;"
// twin 3 "if (hz > height(*child(y, dir)))" => "if (hz >= height(*child(y, dir)))"

void test(struct node *root, _Bool side, int key) {
    __VERIFIER_assume(root != NULL);
    struct node *y = *child(root, side);
    __VERIFIER_assume(y != NULL);
    require_heights(y);
    /* The nodes that change their places are in order; nothing is known of the others. */
    __VERIFIER_assume(compar(y->key, root->key) == (side ? 1 : -1));
    struct node *z = *child(y, !side);
    if (z != NULL)
        __VERIFIER_assume(compar(z->key, root->key) == (side ? 1 : -1) && compar(z->key, y->key) == (side ? -1 : 1));
    __VERIFIER_assume(musl_tfind(key, &root) != NULL);
    rot(&root, root, side);
    struct node *found = musl_tfind(key, &root);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
