/* Connect four by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native connect_four.c -o connect_four && ./connect_four 1000000 7
 *
 * The discs of a player are a set of 49 bits, seven for each column, the highest of which stays free, so that shifts
 * by 1, 6, 7 and 8 find four in a row. The columns that are not full stand in a list, from which a draw takes one.
 */
#include "random_plays.h"

static inline int four(u64 discs) {
    const u64 a = discs & discs >> 1, b = discs & discs >> 6, c = discs & discs >> 7, d = discs & discs >> 8;
    return ((a & a >> 2) | (b & b >> 12) | (c & c >> 14) | (d & d >> 16)) != 0;
}

static void prepare(void) {}

static int play(void) {
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
