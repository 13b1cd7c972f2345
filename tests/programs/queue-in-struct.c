/* A queue of a hundred places inside a struct, which is handed on by its address. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

enum { CAPACITY = 100 };

struct queue {
    int items[CAPACITY];
    int first, next, count;
};

static int put(struct queue *queue, int item) {
    if (queue->count == CAPACITY)
        return 0;
    queue->items[queue->next] = item;
    queue->next = (queue->next + 1) % CAPACITY;
    queue->count++;
    return 1;
}

static int take(struct queue *queue, int *item) {
    if (queue->count == 0)
        return 0;
    *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % CAPACITY;
    queue->count--;
    return 1;
}

void test(void) {
    struct queue queue;
    queue.first = queue.next = queue.count = 0;
    while (__VERIFIER_nondet_int()) {
        int item = __VERIFIER_nondet_int();
        if (item > 0)
            put(&queue, item);
        else
            take(&queue, &item);
        __VERIFIER_assert(queue.count >= 0 && queue.count <= CAPACITY);
    }
}
