/* Tic-tac-toe by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native tic_tac_toe.c -o tic_tac_toe && ./tic_tac_toe 1000000 7
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 *
 * The marks of a player are nine bits, and a table says which of the 512 sets hold a row. The spaces that are left
 * stand in a list, from which a draw takes one. All draws of a play come out of a single random number: times n, the
 * high half is a number below n and the low half is as random as before (off by less than one part in 10^13).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

static u64 weyl, first_wins, draws;
static uint8_t row[512]; /* whether a set of spaces holds three in a row */

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

static void prepare(void) {
    static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int set = 0; set < 512; set++)
        for (int i = 0; i < 8; i++)
            if ((set & lines[i]) == lines[i]) row[set] = 1;
}

/* One random play; its plies. */
static inline int play(void) {
    uint8_t left[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    unsigned marks[2] = {0, 0};
    u64 random = random64();
#pragma GCC unroll 9
    for (int ply = 0; ply < 9; ply++) {
        const unsigned i = below(&random, 9 - ply);
        const unsigned mine = marks[ply & 1] |= 1u << left[i];
        left[i] = left[8 - ply];
        if (ply >= 4 && row[mine]) {
            first_wins += !(ply & 1);
            return ply + 1;
        }
    }
    draws++;
    return 9;
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
