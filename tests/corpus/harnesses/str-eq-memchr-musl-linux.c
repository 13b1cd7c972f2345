/* Where the byte occurs, musl's portable memchr and Linux's memscan find the same place. */

// include verifier.h
// include strings.h

// extract musl_memchr memchr=musl_memchr
// rewrite "#ifdef __GNUC__" => "#if 0"

// extract linux_memscan

/* Keeps only the inputs that hold the byte. */
static void require_byte(struct str a, int c) {
    for (int i = 0; i < a.n_s; i++)
        if (a.s[i] == (char)c)
            return;
    __VERIFIER_ignore();
}

void test(struct str a, int c) {
    require_byte(a, c);
    __VERIFIER_assert(musl_memchr(a.s, c, (size_t)a.n_s) == memscan(a.s, c, (size_t)a.n_s));
}

// twin "c = (unsigned char)c;" => ";"
