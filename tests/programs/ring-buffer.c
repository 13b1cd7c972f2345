/* A ring buffer of eight elements, pushed and popped in any order, stays inside its array. */

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 8

struct ring {
    int elements[CAPACITY];
    unsigned head, count;
};

/* Is there room for the value? */
static int push(struct ring *ring, int value) {
    if (ring->count == CAPACITY)
        return 0;
    ring->elements[(ring->head + ring->count) % CAPACITY] = value;
    ring->count++;
    return 1;
}

/* Is there a value? */
static int pop(struct ring *ring, int *value) {
    if (ring->count == 0)
        return 0;
    *value = ring->elements[ring->head];
    ring->head = (ring->head + 1) % CAPACITY;
    ring->count--;
    return 1;
}

void test(void) {
    struct ring ring = {{0}, 0, 0};
    while (__VERIFIER_nondet_int()) {
        int value;
        if (__VERIFIER_nondet_int())
            push(&ring, 1);
        else if (pop(&ring, &value))
            __VERIFIER_assert(ring.count < CAPACITY);
        __VERIFIER_assert(ring.count <= CAPACITY && ring.head < CAPACITY);
    }
}
