/* Calls the entry of one program with every small input, shortest arrays first, and then with random ones whose arrays may be longer.
   The generated part, another translation unit, holds the program, the tables below and `call_entry`. It exits with 0 when no input
   fails and tells how many executions reached the end; otherwise it shows the first input that fails. */

#include <sanitizer/asan_interface.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARAMETERS = 8, MOST_LENGTH = 8, MOST_BLOCKS = 64, SECONDS = 60, RANDOM_INPUTS = 200000 };

extern const int parameters;
extern const int parameter_is_array[];
extern const char *const parameter_names[];
extern const long long element_values[], integer_values[];
extern const int element_value_count, integer_value_count, longest_array;
extern const int allocates;
extern void call_entry(void);

static int length[MOST_PARAMETERS];
static int chosen[MOST_PARAMETERS][MOST_LENGTH];
static int allocation_fails;
static void *blocks[MOST_BLOCKS];
static int block_count;
static jmp_buf after_execution;
static unsigned long finished, ignored;

static void *new_block(size_t size) {
    void *block = malloc(size == 0 ? 1 : size);
    if (block == NULL || block_count == MOST_BLOCKS)
        abort();
    if (size == 0)
        __asan_poison_memory_region(block, 1);
    blocks[block_count++] = block;
    return block;
}

static void show_input(void) {
    for (int p = 0; p < parameters; p++) {
        printf("%s%s = ", p == 0 ? "fails on " : ", ", parameter_names[p]);
        if (parameter_is_array[p]) {
            printf("{");
            for (int i = 0; i < length[p]; i++)
                printf("%s%lld", i == 0 ? "" : ", ", element_values[chosen[p][i]]);
            printf("}");
        } else {
            printf("%lld", integer_values[chosen[p][0]]);
        }
    }
    printf("%s\n", allocation_fails ? ", malloc gives a null pointer" : "");
    fflush(stdout);
}

/* What the generated part and the program call. */

long long integer_input(int parameter) {
    return integer_values[chosen[parameter][0]];
}

int length_input(int parameter) {
    return length[parameter];
}

void *array_input(int parameter, unsigned long element_size) {
    char *block = new_block((size_t)length[parameter] * element_size);
    for (int i = 0; i < length[parameter]; i++)
        memcpy(block + (size_t)i * element_size, &element_values[chosen[parameter][i]], element_size);
    return block;
}

void *program_malloc(unsigned long size) {
    return allocation_fails ? NULL : new_block(size);
}

void program_free(void *block) {
    for (int i = 0; i < block_count; i++)
        if (blocks[i] == block)
            blocks[i] = NULL;
    free(block);
}

void __VERIFIER_ignore(void) {
    longjmp(after_execution, 1);
}

void __VERIFIER_assume(int condition) {
    if (!condition)
        longjmp(after_execution, 1);
}

void __VERIFIER_fail(void) {
    show_input();
    _exit(1);
}

void __VERIFIER_assert(int condition) {
    if (!condition)
        __VERIFIER_fail();
}

static void execute(void) {
    alarm(SECONDS);
    if (setjmp(after_execution) == 0) {
        call_entry();
        finished++;
    } else {
        ignored++;
    }
    while (block_count > 0) {
        void *block = blocks[--block_count];
        if (block != NULL)
            free(block);
    }
}

/* Chooses the parameters from the given one on; the arrays have `total` elements left to share. */
static void choose(int parameter, int total);

static void choose_elements(int parameter, int position, int total) {
    if (position == length[parameter]) {
        choose(parameter + 1, total - length[parameter]);
        return;
    }
    for (int i = 0; i < element_value_count; i++) {
        chosen[parameter][position] = i;
        choose_elements(parameter, position + 1, total);
    }
}

static void choose(int parameter, int total) {
    if (parameter == parameters) {
        for (allocation_fails = 0; total == 0 && allocation_fails <= allocates; allocation_fails++)
            execute();
        allocation_fails = 0;
    } else if (parameter_is_array[parameter]) {
        for (length[parameter] = 0; length[parameter] <= longest_array && length[parameter] <= total; length[parameter]++)
            choose_elements(parameter, 0, total);
    } else {
        for (chosen[parameter][0] = 0; chosen[parameter][0] < integer_value_count; chosen[parameter][0]++)
            choose(parameter + 1, total);
    }
}

/* The next number below a limit, the same ones in every run (xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift
   generators, scrambled", 2016). */
static int below(int limit) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int)((state * 0x2545f4914f6cdd1d >> 33) % (uint64_t)limit);
}

/* Chooses all parameters. Few different values and arrays that repeat earlier ones, in whole or but for one element: preconditions and
   comparisons ask for elements that are equal. */
static void choose_at_random(void) {
    int few[] = {below(element_value_count), below(element_value_count), below(element_value_count)};
    for (int p = 0; p < parameters; p++) {
        int earlier = below(p + 1);
        chosen[p][0] = below(integer_value_count);
        if (!parameter_is_array[p])
            continue;
        length[p] = below(MOST_LENGTH + 1);
        for (int i = 0; i < length[p]; i++)
            chosen[p][i] = few[below(3)];
        if (earlier == p || !parameter_is_array[earlier] || below(4) == 0)
            continue;
        length[p] = length[earlier];
        memcpy(chosen[p], chosen[earlier], sizeof chosen[p]);
        if (length[p] > 0 && below(2) == 0)
            chosen[p][below(length[p])] = few[below(3)];
    }
    allocation_fails = allocates && below(4) == 0;
}

int main(void) {
    int arrays = 0;
    if (parameters > MOST_PARAMETERS || longest_array > MOST_LENGTH)
        return 2;
    for (int p = 0; p < parameters; p++)
        arrays += parameter_is_array[p];
    __sanitizer_set_death_callback(show_input);
    for (int total = 0; total <= arrays * longest_array; total++)
        choose(0, total);
    for (int i = 0; arrays > 0 && i < RANDOM_INPUTS; i++) {
        choose_at_random();
        execute();
    }
    printf("%lu executions reach the end, %lu are ignored: all with arrays up to %d", finished, ignored, longest_array);
    if (arrays > 0)
        printf(", and %d at random with arrays up to %d", RANDOM_INPUTS, MOST_LENGTH);
    printf("\n");
    return 0;
}
