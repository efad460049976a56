/* Hex 11x11 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native hex.c -o hex && ./hex 1000000 7
 *
 * Prints: plays, plies, plays won by the first player, plays drawn, CPU seconds. The first argument is a number of
 * plays, or with an `s` (`2s`) so many CPU seconds; the second is the seed.
 *
 * The free cells stand in a list, from which a draw takes one. Groups of stones are kept by union-find; the root of a
 * group knows which of its player's two sides the group touches. A stone tells its six neighbours that it is there, so
 * each cell knows the ring around it; neighbours that follow each other on the ring touch, so one union for each run
 * of them is enough: at most three, and a table has them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

enum { SIZE = 11, CELLS = SIZE * SIZE, WIDTH = SIZE + 2, PADDED = WIDTH * WIDTH };

static u64 weyl, first_wins, draws;
static const int ring[6] = {-WIDTH, -WIDTH + 1, 1, WIDTH, WIDTH - 1, -1}; /* in order round a cell */
static uint8_t all[CELLS];                                              /* the cells of the board */
static uint8_t runs[64];            /* for the neighbours of a colour: the first of each run of them */
static uint8_t touched[2][PADDED];  /* which sides of a player a cell touches: 1, 2 */
static uint8_t alone[PADDED];       /* every cell its own parent */

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
    for (int i = 0; i < PADDED; i++) alone[i] = i;
    for (int r = 0; r < SIZE; r++)
        for (int q = 0; q < SIZE; q++) {
            const int cell = (r + 1) * WIDTH + q + 1;
            all[r * SIZE + q] = cell;
            touched[0][cell] = (r == 0) | (r == SIZE - 1) << 1;
            touched[1][cell] = (q == 0) | (q == SIZE - 1) << 1;
        }
    for (int set = 0; set < 64; set++) {
        const int before = (set << 1 | set >> 5) & 63;
        runs[set] = set == 63 ? 1 : set & ~before;
    }
}

static inline unsigned root(uint8_t *parent, unsigned cell) {
    while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
    return cell;
}

/* One random play; its plies. */
static inline int play(void) {
    uint8_t left[CELLS], parent[PADDED], sides[2][PADDED], around[2][PADDED];
    memcpy(left, all, sizeof left);
    memcpy(parent, alone, sizeof parent);
    memcpy(sides, touched, sizeof sides);
    memset(around, 0, sizeof around);
    u64 random = 0;
    for (int ply = 0;; ply++) {
        if (ply % 4 == 0) random = random64(); /* 121^4 is below 2^28 */
        const unsigned i = below(&random, CELLS - ply), cell = left[i];
        left[i] = left[CELLS - 1 - ply];
        uint8_t *const near = around[ply & 1], *const reached = sides[ply & 1];
        for (int d = 0; d < 6; d++) near[cell + ring[d]] |= 1 << (d + 3) % 6;
        unsigned group = cell;
        for (unsigned run = runs[near[cell]]; run; run &= run - 1) {
            const unsigned other = root(parent, cell + ring[__builtin_ctz(run)]);
            parent[group] = other;
            reached[other] |= reached[group];
            group = other;
        }
        if (reached[group] == 3) {
            first_wins += !(ply & 1);
            return ply + 1;
        }
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
        u64 batch = 1 << 12;
        if (!timed && batch > (u64)most - plays) batch = (u64)most - plays;
        for (u64 i = 0; i < batch; i++) plies += play();
        plays += batch;
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    printf("plays %llu plies %llu first %llu draws %llu seconds %.6f\n", (unsigned long long)plays,
           (unsigned long long)plies, (unsigned long long)first_wins, (unsigned long long)draws, seconds);
    return 0;
}
