/* The lists of commits of git. */
struct commit {
    unsigned long date;
};
struct commit_list {
    struct commit *item;
    struct commit_list *next;
};

/* Git ends the program where there is no memory. */
static void *xmalloc(size_t size) {
    void *block = malloc(size);
    __VERIFIER_assume(block != NULL);
    return block;
}
