/* Calls the entry of one program with every small input, smallest first, and then with random ones that may be larger. The
   generated part, another translation unit, holds the
   program, the tables below and `call_entry`. It exits with 0 when no input fails and tells how many executions reached the end;
   otherwise it shows the first input that fails.

   An input is what a sequence of choices gives: lengths, values, whether a pointer is NULL. All sequences are tried in order. Programs
   that keep only ordered or only equal inputs would ignore nearly all of them. Where the entry takes pointers, larger inputs are
   therefore tried in order: the first integers of the nodes ascend by 2 from left to right. Where it takes several, they are also tried
   in pairs, the second of which repeats the choices of the first. */

#include <sanitizer/asan_interface.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "small-inputs.h"

/* A run that takes longer than so many seconds, with some before it, is ended. The clock is set once for so many runs: that is slower than many of them. */
enum { SECONDS = 60, EXECUTIONS_PER_ALARM = 1024 };
enum { MOST_CHOICES = 256, MOST_LENGTH = 8, MOST_ARRAYS = 8, MOST_NODES = 6, MOST_BLOCKS = 64, RANDOM_INPUTS = 100000 };
/* How many nondeterministic values a run draws at most, and from how many. */
enum { MOST_DRAWN = 8, MOST_DRAWN_AT_RANDOM = 60, DRAWN_FROM = 3 };
/* Numbers of elements that a program may draw for an array of its own; only at random, as all of these would be too many. */
static const int drawn_counts[] = {2, 3, 4};

/* The choices taken, and between how many each was. */
static int choices[MOST_CHOICES], alternatives[MOST_CHOICES];
static int choice_count, next_choice;

/* Whether new choices are random; the few values that elements then have, and the places of these values in the arrays made. */
static int at_random;
static int few_values[3];
static int lengths[MOST_ARRAYS], contents[MOST_ARRAYS][MOST_LENGTH];
static int array_count;
/* How many times rarer a pointer is NULL than not. */
static int pointers_for_one_null = 1;

/* Whether the first integers of the nodes are in order. */
static int in_order;
/* Whether pointers come in pairs; where the choices of the first one begin, and how many nodes were not placed then. */
static int in_pairs, object_count, first_of_pair, unplaced_before_first;
/* The next choice to be repeated, and where these end. */
static int next_repeated, end_of_repeated;

/* Elements of arrays and nodes that the inputs have together, and how many of these are not placed yet. */
static int size, unplaced;

/* How many nondeterministic values this run has drawn, and whether any run has. */
static int drawn, has_drawn;

static int allocation_fails;
static void *blocks[MOST_BLOCKS];
static int block_count;
static jmp_buf after_execution;
static unsigned long finished, ignored;
/* The text of the input, if it is to be shown. */
static int is_shown;
static char shown_input[1 << 14];

/* The next number below a limit, the same ones in every run (xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift
   generators, scrambled", 2016). */
static int below(int limit) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((state * 0x2545f4914f6cdd1d >> 33) % (uint64_t)limit);
}

/* The next choice of the sequence; a new one begins with 0, or is random. */
static int choose(int count) {
    if (count <= 1)
        return 0;
    if (next_repeated < end_of_repeated && alternatives[next_repeated] == count)
        return choices[next_repeated++];
    if (next_choice == choice_count) {
        if (choice_count == MOST_CHOICES)
            abort();
        choices[choice_count] = at_random ? below(count) : 0;
        alternatives[choice_count++] = count;
    }
    return choices[next_choice++];
}

/* Goes on to the next sequence, if there is one. */
static int next_sequence(void) {
    while (choice_count > 0 && choices[choice_count - 1] + 1 == alternatives[choice_count - 1])
        choice_count--;
    if (choice_count == 0)
        return 0;
    choices[choice_count - 1]++;
    return 1;
}

static void *new_block(size_t size_in_bytes) {
    void *block = malloc(size_in_bytes == 0 ? 1 : size_in_bytes);
    if (block == NULL || block_count == MOST_BLOCKS)
        abort();
    if (size_in_bytes == 0)
        __asan_poison_memory_region(block, 1);
    blocks[block_count++] = block;
    return block;
}

/* Adds to what is shown of the input. */
static void note(const char *format, ...) {
    if (!is_shown)
        return;
    size_t length = strlen(shown_input);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(shown_input + length, sizeof shown_input - length, format, arguments);
    va_end(arguments);
}

static void note_name(const char *name) {
    note("%s%s = ", shown_input[0] == 0 ? "fails on " : ", ", name);
}

static int is_integer(const struct field *field) {
    return field->kind == INTEGER_FIELD || field->kind == BOOLEAN_FIELD;
}

static int is_child(const struct field *field) {
    return field->kind >= 0 && structures[field->kind].is_linked;
}

/* The integer that is in order, if that is wanted. */
static const struct field *ordered_field(const struct structure *structure) {
    if (in_order && structure->is_linked)
        for (int i = 0; i < structure->field_count; i++)
            if (structure->fields[i].kind == INTEGER_FIELD)
                return &structure->fields[i];
    return NULL;
}

static void *pointer_in(const char *block, const struct field *field) {
    void *pointer;
    memcpy(&pointer, block + field->offset, sizeof pointer);
    return pointer;
}

/* An integer inside an object takes as many values as tell the orders of all nodes and of one value more apart. */
static void fill_integer(const struct field *field, char *block) {
    int enough = size + 1 < integer_value_count ? size + 1 : integer_value_count;
    long long value = integer_values[choose(field->kind == BOOLEAN_FIELD ? 2 : enough)];
    memcpy(block + field->offset, &value, field->size);
}

static void *new_object(int type);

static void *pointer_to(int type) {
    int is_node = structures[type].is_linked;
    if ((is_node && unplaced == 0) || choose(1 + pointers_for_one_null) == 0)
        return NULL;
    unplaced -= is_node;
    return new_object(type);
}

/* The integers come first, so that the order of a struct's fields does not matter to the choices. */
static void *new_object(int type) {
    const struct structure *structure = &structures[type];
    const struct field *ordered = ordered_field(structure);
    char *block = new_block(structure->size);
    for (int i = 0; i < structure->field_count; i++)
        if (is_integer(&structure->fields[i]) && &structure->fields[i] != ordered)
            fill_integer(&structure->fields[i], block);
    for (int i = 0; i < structure->field_count; i++) {
        const struct field *field = &structure->fields[i];
        if (is_integer(field))
            continue;
        void *pointer = field->kind == NULL_FIELD ? NULL : pointer_to(field->kind);
        memcpy(block + field->offset, &pointer, sizeof pointer);
    }
    return block;
}

/* Puts the nodes in order, from the given value on: the first of several children, the node, its other children. Gives the value to go
   on with. */
static long long put_in_order(int type, char *block, long long value) {
    const struct structure *structure = &structures[type];
    const struct field *ordered = ordered_field(structure);
    int children = 0;
    if (block == NULL || ordered == NULL)
        return value;
    for (int i = 0; i < structure->field_count; i++)
        children += is_child(&structure->fields[i]);
    int children_before = children > 1;
    for (int i = 0; i <= structure->field_count; i++) {
        int is_last = i == structure->field_count;
        if (!is_last && !is_child(&structure->fields[i]))
            continue;
        if (children_before-- == 0) {
            memcpy(block + ordered->offset, &value, ordered->size);
            value += 2;
        }
        if (!is_last)
            value = put_in_order(structure->fields[i].kind, pointer_in(block, &structure->fields[i]), value);
    }
    return value;
}

static void note_object(int type, const char *block) {
    if (!is_shown)
        return;
    if (block == NULL) {
        note("NULL");
        return;
    }
    for (int i = 0; i < structures[type].field_count; i++) {
        const struct field *field = &structures[type].fields[i];
        note("%s%s: ", i == 0 ? "{" : ", ", field->name);
        if (is_integer(field)) {
            long long value = 0;
            memcpy(&value, block + field->offset, field->size);
            int unused_bits = 64 - 8 * (int)field->size;
            note("%lld", (long long)((unsigned long long)value << unused_bits) >> unused_bits);
        } else {
            note_object(field->kind, field->kind == NULL_FIELD ? NULL : pointer_in(block, field));
        }
    }
    note("}");
}

/* Makes the input of the current choices. */
static void make_chosen(void) {
    unplaced = size;
    next_choice = object_count = array_count = 0;
    for (int i = 0; at_random && i < 3; i++)
        few_values[i] = choose(element_value_count);
    make_inputs();
}

/* Makes the input of a run that fails once more: the program may have changed it. */
static void show_input(void) {
    is_shown = 1;
    block_count = 0;
    make_chosen();
    printf("%s%s\n", shown_input[0] == 0 ? "fails for some nondeterministic values" : shown_input, allocation_fails ? ", malloc gives a null pointer" : "");
    fflush(stdout);
}

/* What the generated part and the program call. */

/* Beside nodes, an integer takes values by the number of nodes: their values and places, and what lies between them and outside. */
static long long chosen_integer(void) {
    if (object_inputs == 0)
        return integer_values[choose(integer_value_count)];
    if (in_order)
        return choose(2 * size + 1) - 1;
    return integer_values[choose(size + 2 < integer_value_count ? size + 2 : integer_value_count)];
}

long long integer_input(const char *name) {
    long long value = chosen_integer();
    note_name(name);
    note("%lld", value);
    return value;
}

long long boolean_input(const char *name) {
    long long value = choose(2);
    note_name(name);
    note("%lld", value);
    return value;
}

/* Few different values, and arrays that repeat earlier ones, in whole or but for one element: preconditions and comparisons ask for
   elements that are equal. */
static void choose_array_at_random(int array) {
    lengths[array] = choose(MOST_LENGTH + 1);
    for (int i = 0; i < lengths[array]; i++)
        contents[array][i] = few_values[choose(3)];
    int earlier = choose(array + 1);
    if (earlier == array || choose(4) == 0)
        return;
    lengths[array] = lengths[earlier];
    memcpy(contents[array], contents[earlier], sizeof contents[array]);
    if (lengths[array] > 0 && choose(2) == 0)
        contents[array][choose(lengths[array])] = few_values[choose(3)];
}

static void choose_array(int array) {
    lengths[array] = choose((unplaced < longest_array ? unplaced : longest_array) + 1);
    unplaced -= lengths[array];
    for (int i = 0; i < lengths[array]; i++)
        contents[array][i] = choose(element_value_count);
}

void *array_input(const char *name, unsigned long element_size, int *length) {
    int array = array_count++;
    if (at_random)
        choose_array_at_random(array);
    else
        choose_array(array);
    *length = lengths[array];
    char *block = new_block((size_t)*length * element_size);
    note_name(name);
    note("{");
    for (int i = 0; i < *length; i++) {
        const long long *value = &element_values[contents[array][i]];
        memcpy(block + (size_t)i * element_size, value, element_size);
        note("%s%lld", i == 0 ? "" : ", ", *value);
    }
    note("}");
    return block;
}

/* The second of a pair is made like the first. */
static void *repeated_object(int type) {
    int unplaced_after_first = unplaced;
    unplaced = unplaced_before_first;
    next_repeated = first_of_pair;
    end_of_repeated = next_choice;
    void *object = pointer_to(type);
    next_repeated = end_of_repeated = 0;
    unplaced = unplaced_after_first;
    return object;
}

void *object_input(const char *name, int type) {
    void *object;
    if (in_pairs && object_count++ % 2 == 1) {
        object = repeated_object(type);
    } else {
        first_of_pair = next_choice;
        unplaced_before_first = unplaced;
        object = pointer_to(type);
    }
    put_in_order(type, object, 0);
    note_name(name);
    note_object(type, object);
    return object;
}

void *program_malloc(unsigned long size_in_bytes) {
    return allocation_fails ? NULL : new_block(size_in_bytes);
}

void program_free(void *block) {
    for (int i = 0; i < block_count; i++)
        if (blocks[i] == block)
            blocks[i] = NULL;
    free(block);
}

void *program_realloc(void *block, unsigned long size_in_bytes) {
    if (allocation_fails)
        return NULL;
    for (int i = 0; i < block_count; i++)
        if (blocks[i] == block)
            blocks[i] = NULL;
    void *larger = realloc(block, size_in_bytes);
    if (block_count == MOST_BLOCKS)
        abort();
    blocks[block_count++] = larger;
    return larger;
}

void __VERIFIER_ignore(void) {
    longjmp(after_execution, 1);
}

void __VERIFIER_assume(int condition) {
    if (!condition)
        longjmp(after_execution, 1);
}

void assume_abort_if_not(int condition) {
    __VERIFIER_assume(condition);
}

/* Ends a run, which is no failure. */
void program_exit(void) {
    longjmp(after_execution, 2);
}

/* The next nondeterministic value: a choice like those of the inputs. A run that draws too many is left out. */
static long long drawn_value(void) {
    has_drawn = 1;
    if (drawn++ == (at_random ? MOST_DRAWN_AT_RANDOM : MOST_DRAWN))
        __VERIFIER_ignore();
    if (at_random) {
        int which = choose(DRAWN_FROM + (int)(sizeof drawn_counts / sizeof *drawn_counts));
        return which < DRAWN_FROM ? element_values[which] : drawn_counts[which - DRAWN_FROM];
    }
    return element_values[choose(DRAWN_FROM)];
}

int __VERIFIER_nondet_int(void) {
    return (int)drawn_value();
}

unsigned int __VERIFIER_nondet_uint(void) {
    return (unsigned int)drawn_value();
}

char __VERIFIER_nondet_char(void) {
    return (char)drawn_value();
}

unsigned char __VERIFIER_nondet_uchar(void) {
    return (unsigned char)drawn_value();
}

long __VERIFIER_nondet_long(void) {
    return (long)drawn_value();
}

unsigned long __VERIFIER_nondet_ulong(void) {
    return (unsigned long)drawn_value();
}

_Bool __VERIFIER_nondet_bool(void) {
    return drawn_value() != 0;
}

void __VERIFIER_fail(void) {
    show_input();
    _exit(1);
}

void reach_error(void) {
    __VERIFIER_fail();
}

void __VERIFIER_assert(int condition) {
    if (!condition)
        __VERIFIER_fail();
}

static void release_blocks(void) {
    while (block_count > 0) {
        void *block = blocks[--block_count];
        if (block != NULL)
            free(block);
    }
}

static void execute(void) {
    if ((finished + ignored) % EXECUTIONS_PER_ALARM == 0)
        alarm(SECONDS);
    drawn = 0;
    int end = setjmp(after_execution);
    if (end == 0)
        call_entry();
    if (end == 1)
        ignored++;
    else
        finished++;
}

/* Makes the input of the current choices; calls the entry with it, if asked to and if the input is of the size wanted. */
static int is_of_size(int call) {
    make_chosen();
    int is_complete = unplaced == 0;
    if (call && is_complete)
        execute();
    release_blocks();
    return is_complete;
}

/* Inputs of the size wanted; counts no further than the limit. */
static unsigned long count_inputs(unsigned long limit) {
    unsigned long count = 0;
    choice_count = 0;
    do
        count += is_of_size(0);
    while (count <= limit && next_sequence());
    return count;
}

static void execute_all(void) {
    choice_count = 0;
    do
        for (allocation_fails = 0; allocation_fails <= allocates; allocation_fails++)
            is_of_size(1);
    while (next_sequence());
    allocation_fails = 0;
}

/* Tries all inputs, by size, as long as they are not too many; tells the largest size. */
static int try_all(void) {
    unsigned long left = most_inputs;
    for (size = 0; size <= largest_size; size++) {
        unsigned long count = count_inputs(left);
        if (count > left)
            break;
        left -= count;
        execute_all();
    }
    return size - 1;
}

static void execute_at_random(void) {
    at_random = 1;
    for (int i = 0; i < RANDOM_INPUTS; i++) {
        choice_count = 0;
        size = 1 + below(MOST_NODES);
        pointers_for_one_null = 1 + below(3);
        in_order = object_inputs > 0 && below(2) == 0;
        in_pairs = object_inputs > 1 && below(2) == 0;
        allocation_fails = allocates && below(4) == 0;
        make_chosen();
        execute();
        release_blocks();
    }
}

int main(void) {
    if (longest_array > MOST_LENGTH || array_inputs > MOST_ARRAYS)
        return 2;
    __sanitizer_set_death_callback(show_input);
    int largest = 0;
    for (in_order = 0; in_order <= (object_inputs > 0); in_order++)
        for (in_pairs = 0; in_pairs <= (object_inputs > 1); in_pairs++) {
            int tried = try_all();
            largest = tried > largest ? tried : largest;
        }
    int is_random = array_inputs + object_inputs > 0 || has_drawn;
    if (is_random)
        execute_at_random();
    printf("%lu executions reach the end, %lu are ignored: all with up to %d elements and nodes", finished, ignored, largest);
    if (array_inputs > 0)
        printf(", and %d at random with arrays up to %d", RANDOM_INPUTS, MOST_LENGTH);
    else if (is_random)
        printf(", and %d at random", RANDOM_INPUTS);
    printf("\n");
    return 0;
}
