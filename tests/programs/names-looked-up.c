/* Names are kept in fixed buffers and looked up. The literals end alike, and strings are copied by what compares pointers. */

typedef unsigned long size_t;
extern void __VERIFIER_assert(int condition);
extern char *strcpy(char *to, const char *from);
extern int strcmp(const char *one, const char *other);
extern size_t strlen(const char *text);

struct entry {
    char name[8];
    unsigned number;
};

static struct entry book[3];
static int used;

static int look_up(const char *name) {
    for (int i = 0; i < used; i++)
        if (strcmp(book[i].name, name) == 0)
            return i;
    return -1;
}

static int put(const char *name, unsigned number) {
    if (used == 3 || strlen(name) >= sizeof book[0].name)
        return 0;
    strcpy(book[used].name, name);
    book[used].number = number;
    used++;
    return 1;
}

void test(unsigned number) {
    used = 0;
    put("ann", 7);
    put("joann", number);
    int found = look_up("joann");
    __VERIFIER_assert(found == 1 && book[found].number == number);
    __VERIFIER_assert(look_up("nn") == -1);
}
