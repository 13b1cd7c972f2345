/* The buggy twin of failed-is-no-pointer.c: there is no room for the end of what fills the buffer. */

extern void __VERIFIER_assert(int condition);

#define FAILED ((char *)-1)

static char *terminated(char *storage, int size, int length) {
    if (length < 0 || length > size)
        return FAILED;
    storage[length] = 0;
    return storage;
}

void test(int length) {
    char storage[4];
    char *buffer = terminated(storage, sizeof storage, length);
    if (buffer == FAILED)
        return;
    for (int i = 0; i < length; i++)
        buffer[i] = 'x';
    __VERIFIER_assert(storage[length] == 0);
}
