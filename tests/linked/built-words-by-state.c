/* Words of a text are counted letter by letter, but for comments and what is quoted: in two of the states there is a word that is read. */
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern void abort(void);

enum letter { END, BLANK, MARK, BREAK, QUOTE };

enum state { START, BETWEEN, IN_COMMENT, IN_QUOTES, IN_WORD, AFTER_WORD, AFTER_QUOTES };

struct word {
    struct word *before;
    int length;
};

static struct word *words;

static struct word *begin(void) {
    struct word *word = malloc(sizeof *word);
    if (!word)
        abort();
    word->length = 1;
    return word;
}

void test(void) {
    enum state state = START;
    struct word *word = 0;
    int letter;
    while ((letter = __VERIFIER_nondet_int()) != END) {
        switch (state) {
        case START:
        case BETWEEN:
            if (letter == MARK) {
                state = IN_COMMENT;
            } else if (letter == QUOTE) {
                state = IN_QUOTES;
            } else if (letter != BLANK) {
                word = begin();
                state = IN_WORD;
            }
            break;
        case IN_WORD:
            if (letter != BLANK)
                word->length++;
            else
                state = AFTER_WORD;
            break;
        case AFTER_WORD:
            word->before = words;
            words = word;
            word = 0;
            state = letter == MARK ? IN_COMMENT : BETWEEN;
            break;
        case IN_COMMENT:
            if (letter == BREAK)
                state = BETWEEN;
            break;
        case IN_QUOTES:
            if (letter == QUOTE)
                state = AFTER_QUOTES;
            break;
        case AFTER_QUOTES:
            if (letter == BLANK)
                state = BETWEEN;
            else if (letter == QUOTE)
                state = IN_QUOTES;
            break;
        }
    }
    free(word);
    while (words) {
        struct word *before = words->before;
        free(words);
        words = before;
    }
}
