/* Chess positions in which white mates in exactly so many moves, found by trying everything: cc -O2 chess_mates.c && ./a.out 25 25

   It shares nothing with ruledsl. A line is the board as in a FEN, the number of moves, and every first move that mates in
   so many. No position has castling, taking in passing, or pawns that may go two steps. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef struct { int from, to, becomes; } Move;
static u64 stream = 4101842887655102017ULL;
static const int KNIGHT[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int AROUND[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

static int chance(int n) {
    stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
    return (int)((stream >> 11) % (u64)n);
}

static int white(char c) { return c >= 'A' && c <= 'Z'; }
static int black(char c) { return c >= 'a' && c <= 'z'; }
static char kind(char c) { return black(c) ? (char)(c - 32) : c; }
static int of(char c, int side) { return side ? black(c) : white(c); }

static int attacked(const char *b, int at, int by) {
    int x = at % 8, y = at / 8, ahead = by ? -1 : 1;
    for (int d = -1; d <= 1; d += 2) {
        int fx = x + d, fy = y - ahead;
        if (fx >= 0 && fx < 8 && fy >= 0 && fy < 8 && of(b[fy * 8 + fx], by) && kind(b[fy * 8 + fx]) == 'P') return 1;
    }
    for (int i = 0; i < 8; i++) {
        int fx = x + KNIGHT[i][0], fy = y + KNIGHT[i][1];
        if (fx >= 0 && fx < 8 && fy >= 0 && fy < 8 && of(b[fy * 8 + fx], by) && kind(b[fy * 8 + fx]) == 'N') return 1;
        for (int far = 1; far < 8; far++) {
            fx = x + AROUND[i][0] * far, fy = y + AROUND[i][1] * far;
            if (fx < 0 || fx > 7 || fy < 0 || fy > 7) break;
            char c = b[fy * 8 + fx];
            if (c == '.') continue;
            char k = kind(c);
            if (of(c, by) && ((far == 1 && k == 'K') || k == 'Q' || k == (i < 4 ? 'R' : 'B'))) return 1;
            break;
        }
    }
    return 0;
}

static int in_check(const char *b, int side) {
    for (int i = 0; i < 64; i++)
        if (b[i] == (side ? 'k' : 'K')) return attacked(b, i, !side);
    return 1;
}

static void make(char *to, const char *b, Move m) {
    memcpy(to, b, 64);
    to[m.to] = m.becomes ? (char)m.becomes : b[m.from];
    to[m.from] = '.';
}

static int add(const char *b, int side, Move *found, int n, int from, int to) {
    char after[64];
    int last = kind(b[from]) == 'P' && (to / 8 == 0 || to / 8 == 7);
    for (int k = 0; k < (last ? 4 : 1); k++) {
        Move m = {from, to, last ? "QRBN"[k] + (side ? 32 : 0) : 0};
        make(after, b, m);
        if (!in_check(after, side)) found[n++] = m;
    }
    return n;
}

static int moves(const char *b, int side, Move *found) {
    int n = 0;
    for (int from = 0; from < 64; from++) {
        if (!of(b[from], side)) continue;
        int x = from % 8, y = from / 8;
        char k = kind(b[from]);
        if (k == 'P') {
            int ty = y + (side ? -1 : 1);
            if (b[ty * 8 + x] == '.') n = add(b, side, found, n, from, ty * 8 + x);
            for (int d = -1; d <= 1; d += 2)
                if (x + d >= 0 && x + d < 8 && of(b[ty * 8 + x + d], !side)) n = add(b, side, found, n, from, ty * 8 + x + d);
            continue;
        }
        for (int i = 0; i < 8; i++) {
            if ((k == 'R' && i > 3) || (k == 'B' && i < 4)) continue;
            for (int far = 1; far < 8; far++) {
                int tx = x + (k == 'N' ? KNIGHT[i][0] : AROUND[i][0] * far), ty = y + (k == 'N' ? KNIGHT[i][1] : AROUND[i][1] * far);
                if (tx < 0 || tx > 7 || ty < 0 || ty > 7 || of(b[ty * 8 + tx], side)) break;
                n = add(b, side, found, n, from, ty * 8 + tx);
                if (b[ty * 8 + tx] != '.' || k == 'K' || k == 'N') break;
            }
        }
    }
    return n;
}

static int mates(const char *b, int within);

static int forces(const char *b, Move m, int within) {  /* whether white mates after this move, in so many altogether */
    char after[64], next[64];
    Move replies[256];
    make(after, b, m);
    int check = in_check(after, 1);
    if (within == 1 && !check) return 0;
    int n = moves(after, 1, replies);
    if (!n) return check;
    if (within == 1) return 0;
    for (int i = 0; i < n; i++) {
        make(next, after, replies[i]);
        if (!mates(next, within - 1)) return 0;
    }
    return 1;
}

static int mates(const char *b, int within) {
    Move found[256];
    int n = moves(b, 0, found);
    for (int less = 1; less <= within; less++)
        for (int i = 0; i < n; i++)
            if (forces(b, found[i], less)) return 1;
    return 0;
}

static void put(char *b, const char *men, int count) {
    for (int i = 0; i < count; i++) {
        char c = men[chance((int)strlen(men))];
        int at = kind(c) == 'P' ? 16 + chance(32) : chance(64);
        if (b[at] == '.') b[at] = c;
    }
}

static void tell(const char *b, int within) {
    for (int y = 7; y >= 0; y--) {
        int empty = 0;
        for (int x = 0; x < 8; x++) {
            char c = b[y * 8 + x];
            if (c == '.') empty++;
            else empty ? printf("%d%c", empty, c) : printf("%c", c), empty = 0;
        }
        if (empty) printf("%d", empty);
        if (y) printf("/");
    }
    printf(" %d", within);
    Move found[256];
    int n = moves(b, 0, found);
    for (int i = 0; i < n; i++)
        if (forces(b, found[i], within)) {
            Move m = found[i];
            printf(" %c%d%c%d", 'a' + m.from % 8, m.from / 8 + 1, 'a' + m.to % 8, m.to / 8 + 1);
            if (m.becomes) printf("%c", kind((char)m.becomes) + 32);
        }
    printf("\n");
    fflush(stdout);
}

int main(int count, char **words) {
    int wanted[4] = {0, 0, count > 1 ? atoi(words[1]) : 25, count > 2 ? atoi(words[2]) : 25};
    while (wanted[2] > 0 || wanted[3] > 0) {
        char b[64];
        memset(b, '.', 64);
        b[chance(64)] = 'K';
        int at = chance(64);
        if (b[at] != '.') continue;
        b[at] = 'k';
        put(b, "QRRBNP", 2 + chance(3));
        put(b, "qrbnpp", 2 + chance(4));
        if (in_check(b, 1) || in_check(b, 0)) continue;
        for (int within = 2; within <= 3; within++)
            if (mates(b, within)) {
                if (wanted[within] > 0 && !mates(b, within - 1)) wanted[within]--, tell(b, within);
                break;
            }
    }
    return 0;
}
