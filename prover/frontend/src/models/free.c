/* What a pointer to free leads to (C11 7.22.3.3). */
static void __pointer_to_free(void *allocated)
{
    __builtin_free(allocated);
}
