/* A stack behind functions that take its address; what was pushed last is popped first. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct frame { int value; struct frame *below; };
typedef struct { struct frame *top; unsigned height; } stack;

static void create(stack *stack) {
    stack->top = 0;
    stack->height = 0;
}

static int push(stack *stack, int value) {
    struct frame *frame = malloc(sizeof *frame);
    if (!frame)
        return -1;
    frame->value = value;
    frame->below = stack->top;
    stack->top = frame;
    stack->height++;
    return 0;
}

static int pop(stack *stack) {
    struct frame *frame = stack->top;
    int value = frame->value;
    stack->top = frame->below;
    stack->height--;
    free(frame);
    return value;
}

void test(int n) {
    stack numbers;
    create(&numbers);
    for (int i = 0; i < n; i++)
        if (push(&numbers, i))
            return;
    for (int i = n; i > 0; i--)
        __VERIFIER_assert(pop(&numbers) == i - 1);
    __VERIFIER_assert(n < 0 || numbers.height == 0);
}
