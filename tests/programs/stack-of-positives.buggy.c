/* What a stack of ten elements gives back should be what was pushed, a positive number: it looks one place too high. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

#define CAPACITY 10

struct stack {
    int elements[CAPACITY];
    int count;
};

/* Is there room for the value? */
static int push(struct stack *stack, int value) {
    if (stack->count == CAPACITY)
        return 0;
    stack->elements[stack->count++] = value;
    return 1;
}

/* Is there a value? */
static int pop(struct stack *stack, int *value) {
    if (stack->count == 0)
        return 0;
    *value = stack->elements[stack->count--];
    return 1;
}

void test(void) {
    struct stack stack;
    stack.count = 0;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value > 0)
            push(&stack, value);
        else if (pop(&stack, &value))
            __VERIFIER_assert(value > 0);
        __VERIFIER_assert(0 <= stack.count && stack.count <= CAPACITY);
    }
}
