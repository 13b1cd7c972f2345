/* A line of the input, or of as much of it as there is room for; NULL at its end, and with any contents where reading fails (C11 7.21.7.2). */
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
char *fgets(char *to, int n, void *stream)
{
    if (stream == (void *)0 || n < 1)
        __builtin_unreachable();
    int i = 0;
    while (i + 1 < n && __VERIFIER_nondet_bool()) {
        char read = __VERIFIER_nondet_char();
        to[i] = read;
        i++;
        if (read == '\n')
            break;
    }
    if (__VERIFIER_nondet_bool())
        return (void *)0;
    to[i] = 0;
    return to;
}
