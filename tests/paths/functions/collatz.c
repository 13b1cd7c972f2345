/* How many steps it takes from n down to 1, if they are at most thirty. */
int f(unsigned n)
{
    int steps = 0;
    if (n == 0 || n > 1000)
        return -1;
    while (n != 1 && steps < 30) {
        if (n % 2 == 0)
            n = n / 2;
        else
            n = 3 * n + 1;
        steps++;
    }
    return n == 1 ? steps : -2;
}
