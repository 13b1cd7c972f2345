/* tests/linked/far-from-zero.buggy.c:11:5: false assertion
   Build and run:  cc -g -fwrapv -fsanitize=address,undefined -ftrivial-auto-var-init=zero FILE.c && ./a.out */

void __asan_poison_memory_region(void const volatile *, unsigned long) __attribute__((weak));

/* Memory that is not freed is no failure. */
char const *__asan_default_options(void) { return "detect_leaks=0"; }

/* Memory of exactly this size and contents; every access to memory of size 0 is an error. */
static void *goatherd_memory(void const *contents, unsigned long size)
{
    void *memory = __builtin_malloc(size ? size : 1);
    if (!memory)
        __builtin_abort();
    if (size)
        __builtin_memcpy(memory, contents, size);
    else if (__asan_poison_memory_region)
        __asan_poison_memory_region(memory, 1);
    return memory;
}

static void goatherd_failed(char const *what)
{
    __builtin_printf("goatherd: %s\n", what);
    __builtin_exit(1);
}


void __VERIFIER_assert(int condition) { if (!condition) goatherd_failed("false assertion"); }

#define main goatherd_main_of_the_source
#include "tests/linked/far-from-zero.buggy.c"
#undef main
#undef malloc
#undef calloc

int main(void)
{
    char *goatherd_node_0_0 = goatherd_memory((unsigned char const[]){ 159, 134, 1, 0, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190 }, 16);
    char *goatherd_node_0_1 = goatherd_memory((unsigned char const[]){ 205, 129, 1, 0, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190, 190 }, 16);
    *(void **)(goatherd_node_0_0 + 8) = goatherd_node_0_1;
    *(void **)(goatherd_node_0_1 + 8) = 0;
    struct node *list = (void *)goatherd_node_0_0;
    (void)(test(list));
    __builtin_printf("goatherd: the sanitizers of this compiler do not report this failure\n");
    return 1;
}
