/* Is this a date, as 2024-02-29? */
struct text {
    const char *s;
    int n_s;
};

static int number(const char *s, int digits)
{
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        value = value * 10 + (s[i] - '0');
    }
    return value;
}

int f(struct text t)
{
    if (t.n_s != 10 || t.s[4] != '-' || t.s[7] != '-')
        return 0;
    int year = number(t.s, 4), month = number(t.s + 5, 2), day = number(t.s + 8, 2);
    if (year < 0 || month < 1 || month > 12 || day < 1)
        return 0;
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int last = month == 2 ? 28 + leap : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    return day <= last;
}
