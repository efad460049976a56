/* Connect four by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native connect_four.c -o connect_four && ./connect_four 1000000 7
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 *
 * The discs of a player are a set of 49 bits, seven for each column, the highest of which stays free, so that shifts
 * by 1, 6, 7 and 8 find four in a row. The columns that are not full stand in a list, from which a draw takes one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

static u64 weyl, first_wins, draws;

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

static inline int four(u64 discs) {
    const u64 a = discs & discs >> 1, b = discs & discs >> 6, c = discs & discs >> 7, d = discs & discs >> 8;
    return ((a & a >> 2) | (b & b >> 12) | (c & c >> 14) | (d & d >> 16)) != 0;
}

static void prepare(void) {}

/* One random play; its plies. */
static inline int play(void) {
    uint8_t open[8] = {0, 1, 2, 3, 4, 5, 6};           /* columns that are not full */
    uint8_t top[8] = {0, 7, 14, 21, 28, 35, 42};       /* where the next disc of a column goes */
    u64 mine = 0, theirs = 0, random = 0;
    unsigned columns = 7;
    for (int ply = 0; ply < 42; ply++) {
        if (ply % 14 == 0) random = random64(); /* 7^14 is below 2^40 */
        const unsigned i = below(&random, columns), column = open[i], to = top[column]++;
        mine |= 1ull << to;
        if (ply >= 6 && four(mine)) {
            first_wins += !(ply & 1);
            return ply + 1;
        }
        const u64 other = theirs;
        theirs = mine, mine = other;
        if (to == column * 7 + 5) open[i] = open[--columns];
    }
    draws++;
    return 42;
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
        u64 batch = 1 << 16;
        if (!timed && batch > (u64)most - plays) batch = (u64)most - plays;
        for (u64 i = 0; i < batch; i++) plies += play();
        plays += batch;
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    printf("plays %llu plies %llu first %llu draws %llu seconds %.6f\n", (unsigned long long)plays,
           (unsigned long long)plies, (unsigned long long)first_wins, (unsigned long long)draws, seconds);
    return 0;
}
