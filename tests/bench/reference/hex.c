/* Hex 11x11 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native hex.c -o hex && ./hex 1000000 7
 *
 * The free cells stand in a list, from which a draw takes one. Groups of stones are kept by union-find; the root of a
 * group knows which of its player's two sides the group touches. A stone tells its six neighbours that it is there, so
 * each cell knows the ring around it; neighbours that follow each other on the ring touch, so one union for each run
 * of them is enough: at most three, and a table has them.
 */
#define BATCH (1 << 12)
#include "random_plays.h"

enum { SIZE = 11, CELLS = SIZE * SIZE, WIDTH = SIZE + 2, PADDED = WIDTH * WIDTH };

static const int ring[6] = {-WIDTH, -WIDTH + 1, 1, WIDTH, WIDTH - 1, -1}; /* in order round a cell */
static uint8_t all[CELLS];                                              /* the cells of the board */
static uint8_t runs[64];            /* for the neighbours of a colour: the first of each run of them */
static uint8_t touched[2][PADDED];  /* which sides of a player a cell touches: 1, 2 */
static uint8_t alone[PADDED];       /* every cell its own parent */

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

static int play(void) {
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
