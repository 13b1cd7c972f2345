/* The sieve of Eratosthenes that stops one too early takes 25 for a prime. */

extern void __VERIFIER_assert(int condition);

#define LIMIT 30

void test(void) {
    char is_prime[LIMIT];
    for (int i = 0; i < LIMIT; i++)
        is_prime[i] = i >= 2;
    for (int i = 2; i * i < LIMIT - 5; i++)
        if (is_prime[i])
            for (int j = i * i; j < LIMIT; j += i)
                is_prime[j] = 0;
    int count = 0;
    for (int i = 0; i < LIMIT; i++)
        count += is_prime[i];
    __VERIFIER_assert(count == 10);
}
