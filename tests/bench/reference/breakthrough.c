/* Breakthrough 8x8 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native breakthrough.c -o breakthrough && ./breakthrough 1000000 7
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 *
 * The pawns of a player are 64 bits, and all moves in one of the three ways are one shift. The board is turned after
 * each ply, which is one instruction, so that whoever is to move goes up. The counts of the three sets of targets say
 * how many moves there are; the one that is drawn is found without a list of moves.
 * Nobody is ever stuck: the foremost pawn always has a diagonal to go.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

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

static void prepare(void) {}

/* The k-th lowest bit of a set, alone. */
static inline u64 kth_bit(u64 set, unsigned k) {
#ifdef __BMI2__
    return _pdep_u64(1ull << k, set);
#else
    while (k--) set &= set - 1;
    return set & -set;
#endif
}

/* One random play; its plies. */
static inline int play(void) {
    const u64 left_file = 0x0101010101010101ull, right_file = left_file << 7, last_row = 0xFFull << 56;
    u64 mine = 0xFFFF, theirs = 0xFFFFull << 48, random = 0;
    for (int ply = 0;; ply++) {
        if (ply % 4 == 0) random = random64(); /* 48 moves at most: four draws use less than 2^23 */
        const u64 ahead = mine << 8 & ~(mine | theirs);
        const u64 left = (mine & ~left_file) << 7 & ~mine;
        const u64 right = (mine & ~right_file) << 9 & ~mine;
        const unsigned n_ahead = __builtin_popcountll(ahead), n_left = __builtin_popcountll(left);
        unsigned k = below(&random, n_ahead + n_left + __builtin_popcountll(right));
        u64 targets = ahead;
        unsigned way = 8;
        if (k >= n_ahead) k -= n_ahead, targets = left, way = 7;
        if (way == 7 && k >= n_left) k -= n_left, targets = right, way = 9;
        const u64 to = kth_bit(targets, k);
        mine = (mine ^ to >> way) | to;
        theirs &= ~to;
        if (to & last_row || !theirs) {
            first_wins += !(ply & 1);
            return ply + 1;
        }
        const u64 turned = __builtin_bswap64(mine);
        mine = __builtin_bswap64(theirs), theirs = turned;
    }
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
