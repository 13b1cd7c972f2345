/* The row is handed out by a function that lets no bad column pass; the index is read beside the call. */

extern void __VERIFIER_assert(int condition);
extern void abort(void);

struct table {
    int cells[5];
    int column;
};

static struct table table;

static struct table *checked(void) {
    if (table.column < 1 || table.column > 5)
        abort();
    return &table;
}

void test(int column) {
    table.column = column;
    checked()->cells[table.column - 1] = column;
    __VERIFIER_assert(table.cells[column - 1] == table.column);
}
