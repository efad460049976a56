/* ---- what plays came to, counted and written down: see simulation/native_rows.py ---- */

enum { DIRECT = 2048, KNOWN = 64 };

static inline int row_ended(const num *row) { return row[0] != ENDED_VOID && row[0] != STILL_RUNNING; }

num rows_sum(const num *rows, num n, num column) {
    num sum = 0;
    for (num i = 0; i < n; i++) sum += rows[i * WIDTH + column];
    return sum;
}

/* How often each value of a column is met in plays that came to their end, as pairs; how many pairs. A value that is
   far from the others may have several pairs. There is room for a pair for each play. */
num rows_spread(const num *rows, num n, num column, num *out) {
    num times[DIRECT] = {0}, found = 0, lowest = 0, i = 0;
    while (i < n && !row_ended(rows + i * WIDTH)) i++;
    if (i < n) lowest = rows[i * WIDTH + column] - DIRECT / 2;
    for (; i < n; i++) {
        if (!row_ended(rows + i * WIDTH)) continue;
        num value = rows[i * WIDTH + column];
        if (value >= lowest && value < lowest + DIRECT) times[value - lowest]++;
        else out[2 * found] = value, out[2 * found++ + 1] = 1;
    }
    for (num k = 0; k < DIRECT; k++)
        if (times[k]) out[2 * found] = lowest + k, out[2 * found++ + 1] = times[k];
    return found;
}

/* How often each ending with each set of winners, in threes; how many. What is rare may come several times. */
num rows_results(const num *rows, num n, num *out) {
    num found = 0;
    for (num i = 0; i < n; i++) {
        const num *row = rows + i * WIDTH;
        num k = 0, known = found < KNOWN ? found : KNOWN;
        while (k < known && (out[3 * k] != row[0] || out[3 * k + 1] != row[1])) k++;
        if (k == known) {
            k = found++;
            out[3 * k] = row[0], out[3 * k + 1] = row[1], out[3 * k + 2] = 0;
        }
        out[3 * k + 2]++;
    }
    return found;
}

/* A line of a table. A part is a field of the row, one of those below, or text number BEFORE_TEXTS - part; the texts
   of results come behind these, then a text for a play without fault, then those of the faults, in order. Texts are
   copied in steps; behind them, and behind what is written, there is room for one. */
enum { THE_NUMBER = -1, THE_PLAY = -2, THE_SEED = -3, THE_RESULT = -4, THE_FAULT = -5, BEFORE_TEXTS = -6, TEXT_STEP = 32 };

struct Lines {
    num parts_n, results_n, first_result, faults;
    const num *parts, *results, *ends;
    const char *texts;
};

/* Eight digits of a number, one in each byte, the first one lowest: halves, quarters and eighths side by side. */
static inline u64 eight_digits(u64 value) {
    u64 parts = value / 10000 | value % 10000 << 32, upper = parts * 10486 >> 20 & 0x7F0000007FULL;
    parts = upper | (parts - 100 * upper) << 16, upper = parts * 103 >> 10 & 0xF000F000F000FULL;
    return upper | (parts - 10 * upper) << 8;
}

static ONCE char *in_digits(char *to, num value) {
    enum { EIGHT = 100000000 };
    const u64 zeros = 0x3030303030303030ULL;
    u64 left = value < 0 ? -(u64)value : (u64)value, later[2], digits;
    int n = 0, none;
    if (value < 0) *to++ = '-';
    for (; left >= EIGHT; left /= EIGHT) later[n++] = eight_digits(left % EIGHT) | zeros;
    digits = eight_digits(left);
    none = digits ? __builtin_ctzll(digits) & ~7 : 56;  /* bits of zeros at the front, which are not written */
    digits = (digits | zeros) >> none;
    memcpy(to, &digits, 8), to += 8 - none / 8;
    for (; n; to += 8) memcpy(to, &later[--n], 8);
    return to;
}

static inline char *text_of(const Lines *l, num number, char *to) {
    num from = number ? l->ends[number - 1] : 0, size = l->ends[number] - from;
    memcpy(to, l->texts + from, TEXT_STEP);
    for (num i = TEXT_STEP; i < size; i += TEXT_STEP) memcpy(to + i, l->texts + from + i, TEXT_STEP);
    return to + size;
}

static ONCE char *one_line(Lines *l, u64 seed, num number, num play, const num *row, char *to) {
    num none = l->first_result + l->results_n, k = 0;
    for (num i = 0; i < l->parts_n; i++) {
        num part = l->parts[i];
        if (part >= 0 && (u64)row[part] < 10) *to++ = (char)('0' + row[part]);
        else if (part >= 0) to = in_digits(to, row[part]);
        else if (part <= BEFORE_TEXTS) to = text_of(l, BEFORE_TEXTS - part, to);
        else if (part == THE_NUMBER) to = in_digits(to, number + 1);
        else if (part == THE_PLAY) to = in_digits(to, play + 1);
        else if (part == THE_SEED) to = in_digits(to, (num)play_seed_of(seed, number));
        else if (part == THE_RESULT) {
            while (l->results[2 * k] != row[0] || l->results[2 * k + 1] != row[1]) k++;
            to = text_of(l, l->first_result + k, to);
        } else to = text_of(l, row[0] == ENDED_VOID ? none + ++l->faults : none, to);
    }
    return to;
}

/* The lines of `n` plays, or campaigns with `done` plays each, from number `from` of the rows on. The rows of all first
   plays stand before those of the second plays, `stride` each. How long the lines are together. */
num rows_lines(
    Lines *l, u64 seed, num first, num from, num n, num stride, const num *done, const num *rows, char *out
) {
    char *to = out;
    for (num i = from; i < from + n; i++)
        for (num k = 0; k < (done ? done[i] : 1); k++)
            to = one_line(l, seed, first + i, k, rows + (k * stride + i) * WIDTH, to);
    return to - out;
}
