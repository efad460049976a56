/* Breakthrough 8x8 by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native breakthrough.c -o breakthrough && ./breakthrough 1000000 7
 *
 * The pawns of a player are 64 bits, and all moves in one of the three ways are one shift. The board is turned after
 * each ply, which is one instruction, so that whoever is to move goes up. The counts of the three sets of targets say
 * how many moves there are; the one that is drawn is found without a list of moves.
 * Nobody is ever stuck: the foremost pawn always has a diagonal to go.
 */
#include "random_plays.h"

static void prepare(void) {}

static int play(void) {
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
