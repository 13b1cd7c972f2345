/* A queue with head and tail is filled and emptied. */

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);

struct node {
    struct node *next;
    int data;
};

struct queue {
    struct node *head, *tail;
};

static void push(struct queue *queue, struct node *node) {
    node->next = 0;
    if (queue->tail == 0)
        queue->head = node;
    else
        queue->tail->next = node;
    queue->tail = node;
}

static struct node *pop(struct queue *queue) {
    struct node *node = queue->head;
    if (node == 0)
        return 0;
    queue->head = node->next;
    if (queue->head == 0)
        queue->tail = 0;
    return node;
}

void test(void) {
    struct queue queue = {0, 0};
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof(struct node));
        __VERIFIER_assume(node != 0);
        node->data = 0;
        push(&queue, node);
    }
    struct node *node;
    while ((node = pop(&queue)) != 0)
        free(node);
    __VERIFIER_assert(queue.tail == 0);
}
