/* A table with a list of entries for each remainder: a key that is not there yet is put in front of its list. Entries are looked at when they have been freed. */
extern void *malloc(unsigned long size);
extern void free(void *block);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define LISTS 8

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

static struct entry *table[LISTS];

static struct entry *lookup(unsigned key) {
    struct entry *entry = table[key % LISTS];
    while (entry && entry->key != key)
        entry = entry->next;
    return entry;
}

static void put(unsigned key, int value) {
    struct entry *entry = lookup(key);
    if (!entry) {
        entry = malloc(sizeof *entry);
        if (!entry)
            return;
        entry->key = key;
        entry->next = table[key % LISTS];
        table[key % LISTS] = entry;
    }
    entry->value = value;
}

static void clear(void) {
    for (int i = 0; i < LISTS; i++) {
        struct entry *entry = table[i];
        while (entry) {
            free(entry);
            entry = entry->next;
        }
        table[i] = 0;
    }
}

int test(void) {
    while (__VERIFIER_nondet_int())
        put(__VERIFIER_nondet_uint(), __VERIFIER_nondet_int());
    struct entry *entry = lookup(5);
    int value = entry ? entry->value : 0;
    clear();
    return value;
}
