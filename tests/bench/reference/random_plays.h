/* What all plays by hand share: numbers at random, and the program around `play` and `prepare` of the file that includes
 * this. `BATCH` plays are made between two looks at the clock.
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#ifndef BATCH
#define BATCH (1 << 16)
#endif

typedef uint64_t u64;

static u64 weyl, first_wins, draws;

static void prepare(void); /* tables, before the clock runs */
static int play(void);     /* one random play; its plies */

/* wyrand: one multiplication for 64 random bits */
static inline u64 random64(void) {
    weyl += 0xA0761D6478BD642Full;
    const unsigned __int128 t = (unsigned __int128)weyl * (weyl ^ 0xE7037ED1A0B428DBull);
    return (u64)(t >> 64) ^ (u64)t;
}

static inline unsigned below(u64 *random, unsigned n) {
    const unsigned __int128 t = (unsigned __int128)*random * n;
    *random = (u64)t;
    return (unsigned)(t >> 64);
}

/* The k-th lowest bit of a set, alone. */
static inline u64 kth_bit(u64 set, unsigned k) {
#ifdef __BMI2__
    return _pdep_u64(1ull << k, set);
#else
    while (k--) set &= set - 1;
    return set & -set;
#endif
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: %s PLAYS|SECONDSs SEED\n", argv[0]), 2;
    const int timed = strchr(argv[1], 's') != NULL;
    const double most = atof(argv[1]);
    weyl = strtoull(argv[2], NULL, 10) * 0x9E3779B97F4A7C15ull;
    prepare();
    const clock_t start = clock();
    double seconds = 0;
    u64 plays = 0, plies = 0;
    while (timed ? seconds < most : plays < (u64)most) {
        u64 batch = BATCH;
        if (!timed && batch > (u64)most - plays) batch = (u64)most - plays;
        for (u64 i = 0; i < batch; i++) plies += play();
        plays += batch;
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    printf("plays %llu plies %llu first %llu draws %llu seconds %.6f\n", (unsigned long long)plays,
           (unsigned long long)plies, (unsigned long long)first_wins, (unsigned long long)draws, seconds);
    return 0;
}
