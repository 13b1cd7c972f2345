/* The comparator of all search trees; keys are integers, so that two can be equal. */
static int compar(int a, int b) {
    return a < b ? -1 : a > b;
}
