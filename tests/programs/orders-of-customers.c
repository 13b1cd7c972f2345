/* A list of customers, each of whom has a ring of orders whose header is a member of the customer: some get one more, some lose their latest, and
 * one order is taken over by somebody else. */
#include <stddef.h>

extern void *malloc(size_t size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int condition);

struct ring {
    struct ring *next, *prev;
};

struct order {
    struct ring link;
    int items;
};

struct customer {
    struct customer *next;
    struct ring orders;
};

static void insert(struct ring *link, struct ring *header) {
    header->next->prev = link;
    link->next = header->next;
    link->prev = header;
    header->next = link;
}

static void unlink(struct ring *link) {
    link->next->prev = link->prev;
    link->prev->next = link->next;
}

void test(void) {
    struct customer *customers = 0;
    while (__VERIFIER_nondet_int()) {
        struct customer *customer = malloc(sizeof *customer);
        if (!customer)
            break;
        customer->orders.next = customer->orders.prev = &customer->orders;
        while (__VERIFIER_nondet_int()) {
            struct order *order = malloc(sizeof *order);
            if (!order)
                break;
            order->items = 1;
            insert(&order->link, &customer->orders);
        }
        customer->next = customers;
        customers = customer;
    }
    for (struct customer *customer = customers; customer; customer = customer->next) {
        struct ring *first = customer->orders.next;
        if (first != &customer->orders) {
            __VERIFIER_assert(first->prev == &customer->orders);
            unlink(first);
            if (customer->next)
                insert(first, &customer->next->orders);
            else
                free(first);
        }
    }
    while (customers) {
        struct customer *customer = customers;
        while (customer->orders.next != &customer->orders) {
            struct ring *link = customer->orders.next;
            unlink(link);
            free((char *)link - offsetof(struct order, link));
        }
        customers = customer->next;
        free(customer);
    }
}
