/* The nodes of NetBSD's tsearch; keys are integers. */
typedef struct node {
    int key;
    struct node *llink, *rlink;
} node_t;
