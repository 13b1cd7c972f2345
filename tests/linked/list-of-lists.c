/* A list of lists is freed: inner lists first, nothing is used after. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *block);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_assume(int condition);

struct inner { int data; struct inner *next; };
struct outer { struct inner *inner; struct outer *next; };

void test(struct outer *list) {
    while (list) {
        struct inner *inner = list->inner;
        while (inner) {
            struct inner *next = inner->next;
            free(inner);
            inner = next;
        }
        struct outer *next = list->next;
        free(list);
        list = next;
    }
}
