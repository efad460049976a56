/* Reversi 8x8 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native reversi.c -o reversi && ./reversi 1000000 7
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 *
 * The discs of a player are 64 bits. All moves are found at once: from the discs of who is to move, each of the eight
 * directions goes through hostile discs by shifts that double. What a disc turns is found in the same way, from it.
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

static inline u64 shift(u64 set, int by) { return by > 0 ? set << by : set >> -by; }

/* The hostile discs that follow on some discs in one direction, without a gap. */
static inline u64 run(u64 from, u64 through, int by) {
    u64 found = through & shift(from, by);
    found |= through & shift(found, by);
    through &= shift(through, by);
    found |= through & shift(found, 2 * by);
    return found | (through & shift(found, 2 * by));
}

#define MIDDLE 0x7E7E7E7E7E7E7E7Eull
#define WAYS(DO) DO(1, MIDDLE) DO(-1, MIDDLE) DO(8, ~0ull) DO(-8, ~0ull) \
    DO(7, MIDDLE) DO(-7, MIDDLE) DO(9, MIDDLE) DO(-9, MIDDLE)

static inline u64 moves(u64 mine, u64 theirs) {
    u64 found = 0;
#define MOVES(by, inside) found |= shift(run(mine, theirs & inside, by), by);
    WAYS(MOVES)
    return found & ~(mine | theirs);
}

static inline u64 turned(u64 mine, u64 theirs, u64 at) {
    u64 found = 0, row;
#define TURNED(by, inside) row = run(at, theirs & inside, by), found |= shift(row, by) & mine ? row : 0;
    WAYS(TURNED)
    return found;
}

/* One random play; its plies. */
static inline int play(void) {
    u64 mine = 0x0000000810000000ull, theirs = 0x0000001008000000ull, random = 0;
    int plies = 0, first = 1;
    for (;;) {
        u64 options = moves(mine, theirs);
        if (!options) {
            options = moves(theirs, mine);
            if (!options) break;
            const u64 swapped = mine;
            mine = theirs, theirs = swapped, first = !first;
        }
        if (plies % 4 == 0) random = random64(); /* 33 moves at most: four draws use less than 2^21 */
        const u64 to = kth_bit(options, below(&random, __builtin_popcountll(options)));
        const u64 row = turned(mine, theirs, to);
        const u64 before = mine;
        mine = theirs ^ row, theirs = before | row | to;
        first = !first, plies++;
    }
    const int ahead = (__builtin_popcountll(mine) - __builtin_popcountll(theirs)) * (first ? 1 : -1);
    first_wins += ahead > 0, draws += ahead == 0;
    return plies;
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
