/* klibc's and newlib's strnlen count the same for every limit; where it is not above the size of the array, there
   need be no terminator. */

// include verifier.h
// include strings.h

// extract klibc_strnlen strnlen=klibc_strnlen

// extract newlib_strnlen strnlen=newlib_strnlen

void test(struct str a, size_t limit) {
    if (limit > (size_t)a.n_s)
        require_string(a);
    __VERIFIER_assert(klibc_strnlen(a.s, limit) == newlib_strnlen(a.s, limit));
}

// twin "(maxlen > 0) && *ss" => "*ss && (maxlen > 0)"
