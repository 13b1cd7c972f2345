/* A search that fails before the red-black split and rotation of glibc's tsearch fails after it. Its layout without tag bits is taken. */

// include verifier.h
// include search.h

#define CHECK_TREE(root)

// extract glibc_tsearch_plain_node_macros
// rewrite "const void *key" => "int key"
// rewrite "unsigned int is_red:1" => "_Bool is_red"

// extract glibc_maybe_split_for_insert

// extract glibc_tfind __tfind=glibc_tfind
// rewrite "const void *key" => "int key"
// rewrite ", __compar_fn_t compar" => ""
// rewrite "void *const *vrootp" => "node *vrootp"
// rewrite "(node *) vrootp" => "vrootp"
// rewrite "(*compar) (" => "compar ("

// twin "if (rpn)\n\tSETBLACK(rpn);" => "SETBLACK(rpn);"
// twin 2 "SETRIGHT(gp,lpn);" => "SETRIGHT(gp,rpn);"
// twin 3 "SETLEFT(gp,rpn);" => "SETLEFT(gp,lpn);"

/* One step of the walk of an insertion: grandparent, parent and node on the path of a key. */
void test(node gp, int key, int x, _Bool mode) {
    node top = gp;
    __VERIFIER_assume(gp != NULL);
    int gp_r = compar(key, gp->key);
    __VERIFIER_assume(gp_r != 0);
    node *parentp = gp_r < 0 ? &gp->left_node : &gp->right_node;
    node p = *parentp;
    __VERIFIER_assume(p != NULL);
    int p_r = compar(key, p->key);
    __VERIFIER_assume(p_r != 0);
    node *rootp = p_r < 0 ? &p->left_node : &p->right_node;
    node r = *rootp;
    __VERIFIER_assume(r != NULL);
    /* These three are in order; nothing is known of the others. */
    __VERIFIER_assume(gp_r < 0 ? p->key < gp->key && r->key < gp->key : p->key > gp->key && r->key > gp->key);
    __VERIFIER_assume(p_r < 0 ? r->key < p->key : r->key > p->key);
    __VERIFIER_assume(glibc_tfind(x, &top) == NULL);
    maybe_split_for_insert(rootp, parentp, &top, p_r, gp_r, mode);
    __VERIFIER_assert(glibc_tfind(x, &top) == NULL);
}
