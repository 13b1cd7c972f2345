/* The lists of commits of git. A commit is an integer here, its date, so that two can be equal. */
struct commit_list {
    unsigned long item;
    struct commit_list *next;
};

/* Git ends the program where there is no memory. */
static void *xmalloc(size_t size) {
    void *block = malloc(size);
    __VERIFIER_assume(block != NULL);
    return block;
}
