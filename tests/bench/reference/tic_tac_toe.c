/* Tic-tac-toe by hand: how fast random plays can be when every trick is allowed.
 *
 *   cc -O3 -march=native tic_tac_toe.c -o tic_tac_toe && ./tic_tac_toe 1000000 7
 *
 * The marks of a player are nine bits, and a table says which of the 512 sets hold a row. The spaces that are left
 * stand in a list, from which a draw takes one. All draws of a play come out of a single random number: times n, the
 * high half is a number below n and the low half is as random as before (off by less than one part in 10^13).
 */
#include "random_plays.h"

static uint8_t row[512]; /* whether a set of spaces holds three in a row */

static void prepare(void) {
    static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int set = 0; set < 512; set++)
        for (int i = 0; i < 8; i++)
            if ((set & lines[i]) == lines[i]) row[set] = 1;
}

static int play(void) {
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
