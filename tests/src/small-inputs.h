/* What the generated part of a program tells the part that makes its inputs, and what it asks of it. */

/* A field's kind: one of these, or the type that it points to. */
enum { INTEGER_FIELD = -1, BOOLEAN_FIELD = -2, NULL_FIELD = -3 };

struct field {
    const char *name;
    unsigned long offset, size;
    int kind;
};

struct structure {
    unsigned long size;
    /* Whether it points to itself: what points to it points to a tree of nodes. */
    int is_linked;
    int field_count;
    const struct field *fields;
};

/* The types that the inputs point to, by their number. */
extern const struct structure structures[];

extern const long long element_values[], integer_values[];
extern const int element_value_count, integer_value_count, longest_array;
/* Most elements and nodes together, and most inputs: what is larger is left out. */
extern const int largest_size;
extern const unsigned long most_inputs;
/* How many inputs are arrays, and how many are pointers. */
extern const int array_inputs, object_inputs;
/* Whether the program calls malloc. */
extern const int allocates;
extern void make_inputs(void);
extern void call_entry(void);

extern long long integer_input(const char *name);
extern long long boolean_input(const char *name);
extern void *array_input(const char *name, unsigned long element_size, int *length);
extern void *object_input(const char *name, int type);
