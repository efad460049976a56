/* Endings of Hex and Breakthrough on five by five, solved to the end: cc -O2 small_boards.c && ./a.out hex 60 (or breakthrough)

   It shares nothing with ruledsl. A line is the moves from the start, a bar, and the moves that win for who moves.
   Only positions in which some moves win and others do not. Cells are a letter and a number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
enum { N = 5, CELLS = 25, MOST = 80, ROOM = 1 << 22 };
static struct { u64 key; int wins; } known[ROOM];
static u64 stream = 9600629759793949339ULL;
static int hex;

static int chance(int n) {
    stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
    return (int)((stream >> 11) % (u64)n);
}

static int joined(const char *b, int side) {  /* the first joins the numbers, the second the letters */
    int queue[CELLS], n = 0, seen[CELLS] = {0};
    for (int i = 0; i < N; i++) {
        int at = side ? i * N : i;
        if (b[at] == side + 1) queue[n++] = at, seen[at] = 1;
    }
    for (int k = 0; k < n; k++) {
        int q = queue[k] % N, r = queue[k] / N;
        if ((side ? q : r) == N - 1) return 1;
        for (int d = 0; d < 6; d++) {
            int tq = q + (int[]){1, -1, 0, 0, 1, -1}[d], tr = r + (int[]){0, 0, 1, -1, -1, 1}[d], to = tr * N + tq;
            if (tq < 0 || tr < 0 || tq >= N || tr >= N || seen[to] || b[to] != side + 1) continue;
            seen[to] = 1, queue[n++] = to;
        }
    }
    return 0;
}

static int moves(const char *b, int side, int *found) {
    int n = 0;
    for (int at = 0; at < CELLS; at++) {
        if (hex) {
            if (!b[at]) found[n++] = at;
            continue;
        }
        int x = at % N, y = at / N, ty = y + (side ? -1 : 1);
        if (b[at] != side + 1) continue;
        for (int d = -1; d <= 1; d++) {
            int to = ty * N + x + d;
            if (x + d < 0 || x + d >= N || ty < 0 || ty >= N) continue;
            if (d ? b[to] != side + 1 : !b[to]) found[n++] = at * 32 + to;
        }
    }
    return n;
}

static int make(char *to, const char *b, int side, int move) {  /* whether it wins */
    memcpy(to, b, CELLS);
    if (hex) {
        to[move] = (char)(side + 1);
        return joined(to, side);
    }
    to[move % 32] = (char)(side + 1), to[move / 32] = 0;
    int others = 0;
    for (int i = 0; i < CELLS; i++) others += to[i] == 2 - side;
    return move % 32 / N == (side ? 0 : N - 1) || !others;
}

static int wins(const char *b, int side) {
    u64 key = (u64)side + 1;
    for (int i = 0; i < CELLS; i++) key = key * 3 + (u64)b[i];
    u64 at = key * 0x9E3779B97F4A7C15ULL >> 42;
    if (known[at].key == key) return known[at].wins;
    int found[MOST], n = moves(b, side, found), best = 0;
    char next[CELLS];
    for (int i = 0; i < n && !best; i++) best = make(next, b, side, found[i]) || !wins(next, !side);
    known[at].key = key, known[at].wins = best;
    return best;
}

static void tell(int move) {
    if (!hex) printf(" %c%d-", 'a' + move / 32 % N, move / 32 / N + 1), move %= 32;
    else printf(" ");
    printf("%c%d", 'a' + move % N, move / N + 1);
}

int main(int count, char **words) {
    hex = count > 1 && !strcmp(words[1], "hex");
    for (int told = 0, wanted = count > 2 ? atoi(words[2]) : 60; told < wanted;) {
        char b[CELLS] = {0}, next[CELLS];
        int sofar[MOST], found[MOST], length = hex ? 11 + chance(6) : 16 + chance(12), over = 0;
        for (int i = 0; i < CELLS && !hex; i++) b[i] = i < 2 * N ? 1 : i >= 3 * N ? 2 : 0;
        for (int k = 0; k < length && !over; k++) {
            int n = moves(b, k & 1, found);
            if (!n) over = 1;
            else {
                sofar[k] = found[chance(n)];
                over = make(next, b, k & 1, sofar[k]);
                memcpy(b, next, CELLS);
            }
        }
        if (over) continue;
        int n = moves(b, length & 1, found), good[MOST], some = 0;
        for (int i = 0; i < n; i++)
            if (make(next, b, length & 1, found[i]) || !wins(next, !(length & 1))) good[some++] = found[i];
        if (!some || some == n) continue;
        for (int k = 0; k < length; k++) tell(sofar[k]);
        printf(" |");
        for (int i = 0; i < some; i++) tell(good[i]);
        printf("\n");
        fflush(stdout);
        told++;
    }
    return 0;
}
