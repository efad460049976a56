/* Reversi 8x8 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native reversi.c -o reversi && ./reversi 1000000 7
 *
 * The discs of a player are 64 bits. All moves are found at once: from the discs of who is to move, each of the eight
 * directions goes through hostile discs by shifts that double. What a disc turns is found in the same way, from it.
 */
#include "random_plays.h"

static void prepare(void) {}

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

static int play(void) {
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
