/* Balancing a node, musl's tsearch keeps what is found. */

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

// extract musl___tsearch_balance __tsearch_balance=tsearch_balance
// rewrite "void **p" => "struct node **p"
// rewrite "n->a[0]" => "n->left"
// rewrite "n->a[1]" => "n->right"

// extract musl_tfind tfind=musl_tfind cmp=compar
// rewrite "const void *key, void *const *rootp,\n\tint(*compar)(const void *, const void *))" => "int key, struct node *const *rootp)"
// rewrite "n->a[c>0]" => "*child(n, c > 0)"

/* A child and a grandchild that a rotation may move are in order; nothing is known of the other nodes. */
static void require_order(struct node *n, int side) {
    struct node *y = *child(n, side);
    if (y == NULL)
        return;
    require_heights(y);
    __VERIFIER_assume(compar(y->key, n->key) == (side ? 1 : -1));
    struct node *z = *child(y, !side);
    if (z != NULL)
        __VERIFIER_assume(compar(z->key, n->key) == (side ? 1 : -1) && compar(z->key, y->key) == (side ? -1 : 1));
}

// twin "return rot(p, n, h0<h1);" => "return rot(p, n, h0>h1);"
// twin 2 "*child(z, !dir) = x;" => "*child(z, dir) = x;"
// twin 3 "*child(y, !dir) = x;" => "*child(y, dir) = x;"

void test(struct node *root, int key) {
    __VERIFIER_assume(root != NULL);
    require_heights(root);
    require_order(root, 0);
    require_order(root, 1);
    __VERIFIER_assume(musl_tfind(key, &root) != NULL);
    tsearch_balance(&root);
    struct node *found = musl_tfind(key, &root);
    __VERIFIER_assert(found != NULL);
    __VERIFIER_assert(found->key == key);
}
