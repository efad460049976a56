/* What every generated game needs: numbers, lists, faults, random streams. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#define APART __attribute__((noipa))  /* kept from being taken apart into single assignments */
#else
#define APART __attribute__((noinline))
#endif
#define ONCE __attribute__((noinline))  /* large, and called from many places: a copy in each only takes time to compile */
#define RARELY __attribute__((cold))  /* hardly ever called */
#define INLINED inline __attribute__((always_inline))
#ifndef SELDOM
#define SELDOM  /* what random plays never call: of a big game the compiler makes it small, not fast */
#endif

typedef int64_t num;
typedef uint64_t u64;
typedef uint64_t set1;

/* A list of numbers: in the state, fixed at compile time, or in the arena. */
typedef struct { num n; const int32_t *p; } list;

enum { ROOM = 1 << 20, MOST_STEPS = 500000, MOST_OPTIONS = 200000, MOST_LOGGED = 1 << 14, MOST_WITHIN = 64 };

struct State;
struct Search;
struct Exchanges;
typedef struct Through Through;
typedef struct { uint64_t key; int64_t seat; } Noted;

/* What a play needs besides its state. */
typedef struct {
    jmp_buf out;         /* where faults go */
    num fault, detail;   /* which fault, and the number it speaks of */
    num top;             /* how much of the arena is in use */
    int32_t *arena;
    int32_t *rows;       /* the options worked out last */
    num count, room, stride;
    num steps, tries, seat;
    num searching, asking;  /* what is searched for completions, one within the other, and how many are under way */
    struct Search *searches[MOST_WITHIN];
    num trying;          /* how many effects are being tried out */
    u64 seen[4];         /* where what is asked of a trial looks, as things stand */
    num logged;          /* moves that were tried out, to be put back */
    int16_t log[MOST_LOGGED][3];  /* piece, where it was, and above which piece of a pile */
    num playing;         /* a bot that takes any option decides; else play stops at decisions */
    u64 bot;             /* its stream */
    num limit;           /* how many decisions it may take */
    num decisions, options, widest, forced, turns, rounds;
    num passed, enough;  /* turns that were completed since the last decision, and how many of them suffice */
    num within;          /* 1 in a turn, 0 between two, -1 before the first */
    char *picks;         /* groups of options among which the bot picks */
    num picked, pick_room;
    num *counts;         /* how often each block ran, each entry was taken, each member was bound */
    Noted *noted;        /* where a search notes what is taken, and how much room is left there */
    num noting;
    void *clusters;      /* of spaces, kept from decision to decision */
    void *tree;          /* a search that decides where players decide in secret */
    Through *throughs[MOST_WITHIN];  /* what goes through choices to look ahead, one within the other */
    num looking;         /* and how many of them are under way */
    struct Exchanges *exchanges;  /* answers about exchanges, once they are asked for */
} Context;

static _Noreturn void fault(Context *x, num which, num detail) {
    x->fault = which;
    x->detail = detail;
    x->trying = x->logged = 0;  /* what was being tried out is left, too */
    longjmp(x->out, 1);
}

enum { FAULT_LOG = -5, FAULT_ARENA = -2, FAULT_STEPS = -3, FAULT_TRIED = -4, FAULT_MENU = -6 };

/* An option was taken by a seat, which a search wants to know. */
static inline void note_option(Context *x, u64 key, num seat) {
    if (x->noting) x->noting--, *x->noted++ = (Noted){key, seat};
}

static inline num demand(Context *x, num value, num none, num which) {
    if (value == none) fault(x, which, 0);
    return value;
}

static inline num fit(Context *x, num value, num low, num high, num which) {
    if (value < low || value > high) fault(x, which, value);
    return value;
}

static inline num fit_or_none(Context *x, num value, num low, num high, num which) {
    if ((value < low || value > high) && value != INT32_MIN) fault(x, which, value);
    return value;
}

static inline num least(num a, num b) { return a < b ? a : b; }
static inline num greatest(num a, num b) { return a > b ? a : b; }
static inline num absolute(num a) { return a < 0 ? -a : a; }

static inline num gcd(num a, num b) {
    while (b != 0) { num rest = a % b; a = b, b = rest; }
    return absolute(a);
}

static inline num floored(num a, num b) { return a / b - ((a % b != 0) & ((a < 0) != (b < 0))); }
static inline num modulo(num a, num b) { num r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }

static inline num divide(Context *x, num a, num b, num which) {
    if (b == 0) fault(x, which, 0);
    return floored(a, b);
}

static inline num remain(Context *x, num a, num b, num which) {
    if (b == 0) fault(x, which, 0);
    return modulo(a, b);
}

static inline num rotated(num i, num k, num n) { return i < 0 ? i : modulo(i + k, n); }

/* ---- random streams: SplitMix64, and draws without bias after Lemire ---- */

static inline u64 mixed(u64 x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

#define GOLDEN 0x9E3779B97F4A7C15ULL

/* The number of a piece or value in a fingerprint (see `engine.primitives`). */
static inline u64 marked(num where, u64 what) { return mixed((u64)(where + 1) * GOLDEN ^ mixed(what)); }

static inline u64 seeded(u64 seed, num stream) { return mixed(mixed(seed) + (u64)(stream + 1) * GOLDEN); }

static inline num drawn(u64 *stream, num n) {
    u64 low;
    do {
        *stream += GOLDEN;
        u64 product = (mixed(*stream) >> 32) * (u64)n;
        low = product & 0xFFFFFFFFULL;
        if (low >= (u64)n || low >= (1ULL << 32) % (u64)n) return (num)(product >> 32);
    } while (1);
}

/* One of n options: which one, and what is to be told of the decision. */
static inline num decided(Context *x, num n) {
    if (n > MOST_OPTIONS) fault(x, FAULT_MENU, 0);
    x->decisions++;
    x->steps = 0;
    x->options += n;
    if (n > x->widest) x->widest = n;
    if (n > 1) return drawn(&x->bot, n);
    x->forced++;
    return 0;
}

/* Room for another group of options. */
static inline void *pick_row(Context *x, num size) {
    if (x->picked >= MOST_OPTIONS) fault(x, FAULT_MENU, 0);  /* each group has an option */
    if ((x->picked + 1) * size > x->pick_room) {
        x->pick_room = 2 * x->pick_room + 64 * size;
        x->picks = realloc(x->picks, (size_t)x->pick_room);
    }
    return x->picks + size * x->picked++;
}

/* ---- histories: a count, then marks of positions. Most that never were there are told by a few bits of theirs, and so
   are most that were there once: behind those bits stand as many for marks whose bit had been set before. ---- */

#ifndef HINTS
#define HINTS 32  /* words of them: the more positions are kept, the more bits tell them apart */
#endif

static inline num hinted(const u64 *hints, u64 mark) { return (num)(hints[mark >> 6 & (HINTS - 1)] >> (mark & 63) & 1); }

static inline void hint(u64 *hints, u64 mark) {
    u64 *word = hints + (mark >> 6 & (HINTS - 1)), bit = 1ULL << (mark & 63);
    word[HINTS] |= *word & bit;
    *word |= bit;
}

typedef u64 marks8 __attribute__((vector_size(64), aligned(8), may_alias));

static num repeated(const u64 *past, u64 mark) {
    num n = 0, count = (num)past[0], i = 1;
    marks8 found = {0};  /* eight at once; what is equal is -1 there */
    for (; i + 7 <= count; i += 8) found -= (marks8)(*(const marks8 *)(past + i) == mark);
    for (num lane = 0; lane < 8; lane++) n += (num)found[lane];
    for (; i <= count; i++) n += past[i] == mark;
    return n;
}

/* The same where `hinted` says yes. It is mostly asked of the position that was just recorded. */
static RARELY num recorded(const u64 *hints, const u64 *past, u64 mark) {
    num again = hinted(hints + HINTS, mark);
    return !again && past[past[0]] == mark ? 1 : repeated(past, mark);
}

/* ---- lists ---- */

static inline void allot(Context *x, num n) {
    if (x->top + n > ROOM) fault(x, FAULT_ARENA, 0);
}

static inline list list_open(Context *x) { return (list){0, x->arena + x->top}; }

static inline void list_push(Context *x, list *l, num value) {
    x->top = (l->p - x->arena) + l->n;
    allot(x, 1);
    x->arena[x->top++] = (int32_t)value;
    l->n++;
}

static inline list list_new(Context *x, num n) {
    allot(x, n);
    list l = {n, x->arena + x->top};
    x->top += n;
    return l;
}

#define ITEMS(l) ((int32_t *)(l).p)

static list list_of(Context *x, num n, const num *items) {
    list l = list_new(x, n);
    for (num i = 0; i < n; i++) ITEMS(l)[i] = (int32_t)items[i];
    return l;
}

/* Puts a fresh list in a random order, from its end. Hardly ever is a draw not taken: then they are drawn one by one. */
static void shuffle(Context *x, u64 *stream, list order) {
    num mark = x->top, again = 0;
    int32_t *items = ITEMS(order), *draws = ITEMS(list_new(x, order.n));
    for (num i = 1; i < order.n; i++) {
        u64 product = (mixed(*stream + (u64)i * GOLDEN) >> 32) * (u64)(order.n - i + 1);
        draws[i] = (int32_t)(product >> 32);
        again |= (product & 0xFFFFFFFFULL) < (u64)(order.n - i + 1);
    }
    if (!again && order.n) *stream += (u64)(order.n - 1) * GOLDEN;
    for (num i = 1; i < order.n; i++) {
        num at = order.n - i, j = again ? drawn(stream, at + 1) : draws[i];
        int32_t kept = items[at];
        items[at] = items[j];
        items[j] = kept;
    }
    x->top = mark;
}

/* Rows of `keys` keys and a value, the last first. */
static void list_reverse(list rows, num keys) {
    num width = keys + 1;
    for (num i = 0, j = rows.n - width; i < j; i += width, j -= width)
        for (num k = 0; k < width; k++) {
            int32_t kept = rows.p[i + k];
            ITEMS(rows)[i + k] = rows.p[j + k];
            ITEMS(rows)[j + k] = kept;
        }
}

/* Rows of `keys` keys and a value, sorted by their keys; those that tie stay as they are. */
static inline list list_sorted(Context *x, list rows, num keys) {
    num width = keys + 1, count = rows.n / width;
    int32_t *p = ITEMS(rows), row[16];
    for (num i = 1; i < count; i++) {
        for (num k = 0; k < width; k++) row[k] = p[i * width + k];
        num j = i;
        for (; j > 0; j--) {
            int32_t *before = p + (j - 1) * width;
            num k = 0;
            while (k < keys && before[k] == row[k]) k++;
            if (k == keys || before[k] < row[k]) break;
            for (k = 0; k < width; k++) before[width + k] = before[k];
        }
        for (num k = 0; k < width; k++) p[j * width + k] = row[k];
    }
    for (num i = 0; i < count; i++) p[i] = p[i * width + keys];
    x->top = (rows.p - x->arena) + count;
    return (list){count, rows.p};
}

static num list_find(list l, num value) {
    for (num i = 0; i < l.n; i++)
        if (l.p[i] == value) return i;
    return -1;
}

static inline num in_list(num value, list l) { return list_find(l, value) >= 0; }

static num list_equal(list a, list b) {
    if (a.n != b.n) return 0;
    for (num i = 0; i < a.n; i++)
        if (a.p[i] != b.p[i]) return 0;
    return 1;
}

/* As words are ordered: by the first item that differs, the shorter first. */
static num list_compare(list a, list b) {
    for (num i = 0; i < a.n && i < b.n; i++)
        if (a.p[i] != b.p[i]) return a.p[i] < b.p[i] ? -1 : 1;
    return a.n < b.n ? -1 : a.n > b.n;
}

static list list_join(Context *x, list a, list b) {
    list l = list_new(x, a.n + b.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = a.p[i];
    for (num i = 0; i < b.n; i++) ITEMS(l)[a.n + i] = b.p[i];
    return l;
}

static list list_without(Context *x, list a, list gone) {
    list l = list_open(x);
    for (num i = 0; i < a.n; i++)
        if (!in_list(a.p[i], gone)) list_push(x, &l, a.p[i]);
    return l;
}

static inline list list_take(list a, num n) { return (list){n < 0 ? 0 : n < a.n ? n : a.n, a.p}; }
static inline num list_item(list a, num i, num none) { return i >= 1 && i <= a.n ? a.p[i - 1] : none; }
static inline num list_head(list a, num none) { return a.n ? a.p[0] : none; }
static inline num list_tail(list a, num none) { return a.n ? a.p[a.n - 1] : none; }
static inline num list_position(list a, num value) { num i = list_find(a, value); return i < 0 ? INT32_MIN : i + 1; }

static list list_upto(Context *x, num low, num high) {
    list l = list_new(x, high >= low ? high - low + 1 : 0);
    for (num i = 0; i < l.n; i++) ITEMS(l)[i] = (int32_t)(low + i);
    return l;
}

static num list_total(list a) {
    num sum = 0;
    for (num i = 0; i < a.n; i++) sum += a.p[i];
    return sum;
}

/* The one with as many before it as behind it, were they in order. */
static num list_median(list a, num none) {
    num middle = (a.n - 1) / 2;
    for (num i = 0; i < a.n; i++) {
        num below = 0, same = 0;
        for (num j = 0; j < a.n; j++) below += a.p[j] < a.p[i], same += a.p[j] == a.p[i];
        if (below <= middle && middle < below + same) return a.p[i];
    }
    return none;
}

/* The items as a circle that begins at a value, or `skip` behind it. */
static list list_circle(Context *x, list a, num value, num skip) {
    num first = list_find(a, value);
    if (first < 0) {
        first = 0;
        for (num i = 0; i < a.n; i++)
            if (a.p[i] > value) { first = i; break; }
    } else
        first += skip;
    list l = list_new(x, a.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = a.p[(first + i) % a.n];
    return l;
}

static list bag_add(Context *x, list a, list b) {
    list l = list_new(x, a.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = a.p[i] + b.p[i];
    return l;
}

static list bag_subtract(Context *x, list a, list b) {
    list l = list_new(x, a.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = a.p[i] - b.p[i];
    return l;
}

static list bag_times(Context *x, list a, num n) {
    list l = list_new(x, a.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = (int32_t)(a.p[i] * n);
    return l;
}

static num bag_within(list a, list b) {
    for (num i = 0; i < a.n; i++)
        if (a.p[i] > b.p[i]) return 0;
    return 1;
}

static inline num bag_item(list a, num i) { return i >= 0 ? a.p[i] : 0; }

static list bag_of(Context *x, num member, num n, num size) {
    list l = list_new(x, size);
    for (num i = 0; i < size; i++) ITEMS(l)[i] = i == member ? (int32_t)n : 0;
    return l;
}

static list bag_clip(Context *x, list a) {
    list l = list_new(x, a.n);
    for (num i = 0; i < a.n; i++) ITEMS(l)[i] = a.p[i] > 0 ? a.p[i] : 0;
    return l;
}

static list bag_widen(Context *x, list a, num size) {
    list l = list_new(x, size);
    for (num i = 0; i < size; i++) ITEMS(l)[i] = i < a.n ? a.p[i] : 0;
    return l;
}

