/* Connect four positions, each with what every move comes to, solved to the end: cc -O2 connect_four.c && ./a.out 200

   It shares nothing with ruledsl. A line is the columns of the moves so far (1 to 7), the number of the best result for
   who moves (1 won, 0 drawn, -1 lost), and the result of each column, `x` where it is full. Only positions with
   20 to 28 stones in which some move gives something away. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
enum { W = 7, H = 6, ROOM = 1 << 23 };
static struct { u64 key; int8_t low, high; } known[ROOM];
static u64 stream = 88172645463325252ULL;

static u64 next_random(void) {
    stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
    return stream;
}

static int four(u64 m) {  /* columns of seven bits, the highest always empty */
    for (int d = 0; d < 4; d++) {
        int by = (int[]){1, 6, 7, 8}[d];
        u64 two = m & m >> by;
        if (two & two >> 2 * by) return 1;
    }
    return 0;
}

static int solve(u64 mine, u64 all, int height[W], int stones, int low, int high) {
    if (stones == W * H) return 0;
    for (int c = 0; c < W; c++)
        if (height[c] < H && four(mine | 1ULL << (c * 7 + height[c]))) return 1;
    u64 key = mine + all + (1ULL << 50), at = (key * 0x9E3779B97F4A7C15ULL) >> 41;
    if (known[at].key == key) {
        if (known[at].low > low) low = known[at].low;
        if (known[at].high < high) high = known[at].high;
        if (low >= high) return low;
    }
    int best = -1, from = low;
    for (int k = 0; k < W && best < high; k++) {
        int c = (int[]){3, 2, 4, 1, 5, 0, 6}[k];
        if (height[c] == H) continue;
        u64 bit = 1ULL << (c * 7 + height[c]++);
        int value = -solve(all ^ mine, all | bit, height, stones + 1, -high, -(best > low ? best : low));
        height[c]--;
        if (value > best) best = value;
    }
    known[at].key = key;
    known[at].low = (int8_t)(best > from ? best : -1), known[at].high = (int8_t)(best < high ? best : 1);
    return best;
}

int main(int count, char **words) {
    int wanted = count > 1 ? atoi(words[1]) : 200;
    for (int found = 0; found < wanted;) {
        int height[W] = {0}, stones = 20 + (int)(next_random() % 9), sound = 1;
        char moves[W * H + 1] = {0};
        u64 sides[2] = {0, 0};
        for (int n = 0; n < stones && sound; n++) {
            int c = (int)(next_random() % W);
            while (height[c] == H) c = (c + 1) % W;
            moves[n] = (char)('1' + c);
            sides[n & 1] |= 1ULL << (c * 7 + height[c]++);
            if (four(sides[n & 1])) sound = 0;
        }
        if (!sound) continue;
        int mover = stones & 1, values[W], best = -1, worst = 1;
        for (int c = 0; c < W; c++) {
            values[c] = 9;
            if (height[c] == H) continue;
            u64 bit = 1ULL << (c * 7 + height[c]);
            if (four(sides[mover] | bit)) values[c] = 1;
            else {
                height[c]++;
                values[c] = -solve(sides[!mover], sides[0] | sides[1] | bit, height, stones + 1, -1, 1);
                height[c]--;
            }
            if (values[c] > best) best = values[c];
            if (values[c] < worst) worst = values[c];
        }
        if (best == worst) continue;
        found++;
        printf("%s %d", moves, best);
        for (int c = 0; c < W; c++) values[c] == 9 ? printf(" x") : printf(" %d", values[c]);
        printf("\n");
    }
    return 0;
}
