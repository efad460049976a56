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
    void *clusters;      /* of spaces, kept from decision to decision */
    void *tree;          /* a search that decides where players decide in secret */
    Through *throughs[MOST_WITHIN];  /* what goes through choices to look ahead, one within the other */
    num looking;         /* and how many of them are under way */
    struct Exchanges *exchanges;  /* answers about exchanges, once they are asked for */
} Context;

static _Noreturn void fault(Context *x, num which, num detail) {
    x->fault = which;
    x->detail = detail;
    longjmp(x->out, 1);
}

enum { FAULT_LOG = -5, FAULT_ARENA = -2, FAULT_STEPS = -3, FAULT_TRIED = -4, FAULT_MENU = -6 };

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

/* ---- histories: a count, then marks of positions. Most that never were there are told by a few bits of theirs. ---- */

enum { HINTS = 32 };

static inline num hinted(const u64 *hints, u64 mark) { return (num)(hints[mark >> 6 & (HINTS - 1)] >> (mark & 63) & 1); }
static inline void hint(u64 *hints, u64 mark) { hints[mark >> 6 & (HINTS - 1)] |= 1ULL << (mark & 63); }

static num repeated(const u64 *past, u64 mark) {
    num n = 0, count = (num)past[0];
    for (num i = 1; i <= count; i++) n += past[i] == mark;
    return n;
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

static num list_next(list a, num value) {
    num i = list_find(a, value);
    return i < 0 ? -1 : a.p[(i + 1) % a.n];
}

static num list_previous(list a, num value) {
    num i = list_find(a, value);
    return i < 0 ? -1 : a.p[(i + a.n - 1) % a.n];
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

/* ---- prices: see engine/payments.py ---- */

enum { MOST_SORTS = 30, MOST_FREE = 8 };

static num price_met(list price, list have, list free) {
    num met = 0, fewest = 0, parts = 0, all = 0;
    int32_t rest[MOST_SORTS], wanted[MOST_FREE];
    uint32_t sorts[MOST_FREE];
    for (num i = 0; i < have.n; i++) {
        num n = price.p[i] < have.p[i] ? price.p[i] : have.p[i];
        met += n;
        rest[i] = (int32_t)(have.p[i] - n);
    }
    for (num i = 0; i < free.n; i++)
        if (price.p[have.n + i] > 0) {
            wanted[parts] = price.p[have.n + i];
            sorts[parts] = (uint32_t)free.p[i];
            all += wanted[parts++];
        }
    fewest = all;
    for (num some = 1; some < (num)1 << parts; some++) { /* those that are not paid in full, together */
        uint32_t reached = 0;
        num paid = all;
        for (num i = 0; i < parts; i++)
            if (some >> i & 1) {
                reached |= sorts[i];
                paid -= wanted[i];
            }
        for (num i = 0; i < have.n; i++)
            if (reached >> i & 1) paid += rest[i];
        if (paid < fewest) fewest = paid;
    }
    return met + fewest;
}

/* All ways to pay, as `_ways` there has them: the way of a number is left in `bag`, or they are counted up to it. */
static num pay_on(list price, list have, num due, list free, num number, int32_t *bag, num sort, num left, num found) {
    if (sort == have.n) return found + 1;
    int32_t most = (int32_t)(have.p[sort] < left ? have.p[sort] : left), kept[MOST_SORTS];
    for (num i = sort; i < have.n; i++) kept[i] = bag[i];
    for (int32_t n = most; n >= 0 && found <= number; n--) {
        num begun = 0;
        for (num i = 0; i < sort; i++) begun += bag[i];
        bag[sort] = n;
        begun += n;
        for (num i = sort + 1; i < have.n; i++) bag[i] = 0;
        if (price_met(price, (list){have.n, bag}, free) != begun) continue;
        for (num i = sort + 1; i < have.n; i++) bag[i] = have.p[i];
        if (price_met(price, (list){have.n, bag}, free) < due) break;
        found = pay_on(price, have, due, free, number, bag, sort + 1, left - n, found);
    }
    if (found <= number)
        for (num i = sort; i < have.n; i++) bag[i] = kept[i];
    return found;
}

static num payments(list price, list have, num due, list free, num most) {
    int32_t bag[MOST_SORTS] = {0};
    if (most <= 0 || price_met(price, have, free) < due) return 0;
    return pay_on(price, have, due, free, most - 1, bag, 0, due, 0);
}

static list payment(Context *x, list price, list have, num due, list free, num number) {
    int32_t bag[MOST_SORTS] = {0};
    list l = list_new(x, have.n);
    if (price_met(price, have, free) < due || pay_on(price, have, due, free, number, bag, 0, due, 0) <= number) {
        for (num i = 0; i < have.n; i++) bag[i] = price.p[i];
        for (num i = 0; i < free.n; i++) bag[__builtin_ctz((uint32_t)free.p[i])] += price.p[have.n + i];
    }
    for (num i = 0; i < have.n; i++) ITEMS(l)[i] = bag[i];
    return l;
}

static list payment_next(Context *x, list price, list paid, list have, num due, list free) {
    list l = list_new(x, have.n);
    int32_t bag[MOST_SORTS];
    num last = 0, total = list_total(paid) + 1;
    for (num i = 0; i < have.n; i++)
        if (paid.p[i]) last = i;
    for (num sort = 0; sort < have.n; sort++) {
        num fits = sort >= last && paid.p[sort] < have.p[sort];
        if (fits) {
            for (num i = 0; i < have.n; i++) bag[i] = paid.p[i] + (i == sort);
            fits = price_met(price, (list){have.n, bag}, free) == total;
            for (num i = sort; i < have.n; i++) bag[i] = have.p[i];
            fits = fits && price_met(price, (list){have.n, bag}, free) >= due;
        }
        ITEMS(l)[sort] = (int32_t)fits;
    }
    return l;
}

/* ---- exchanges: see engine/exchanges.py ---- */

enum { MOST_SEEN = 200000, WITHOUT_END = 1000000, ANSWERS = 1 << 15 };

/* Answers that were found, and what is gone through for the next. */
typedef struct Exchanges {
    struct { u64 key, check; int32_t answer; } known[ANSWERS];
    int32_t *held;       /* what was reached, one behind the other: tokens, then how often exchanges may still be made */
    int32_t *places;     /* where in it, by a hash; 0 where nothing is */
    num room, size;      /* how much fits into both */
    const int32_t *asked;  /* the moves asked about last, and whether some of them get more than they give */
    num grows;
} Exchanges;

static u64 hashed(u64 sum, list l) {
    for (num i = 0; i < l.n; i++) {
        sum = (sum ^ (u64)(uint32_t)l.p[i]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static void exchanges_room(Context *x, Exchanges *e, num width, num count) {
    if (e->room < width * count) {
        e->room = 2 * width * count;
        e->held = realloc(e->held, sizeof(int32_t) * (size_t)e->room);
    }
    if (e->size < 2 * count) {
        num size = 1024;
        while (size < 4 * count) size *= 2;
        free(e->places);
        e->places = calloc((size_t)size, sizeof(int32_t));
        e->size = size;
    }
    if (!e->held || !e->places) fault(x, FAULT_ARENA, 0);
}

/* Notes what was reached, unless it was there before. The place it was written to is behind the others. */
static num exchanges_new(Exchanges *e, num width, num count) {
    const int32_t *one = e->held + width * count;
    u64 at = hashed(1, (list){width, one});
    for (;; at++) {
        at &= (u64)e->size - 1;
        if (!e->places[at]) break;
        if (!memcmp(e->held + width * (e->places[at] - 1), one, sizeof(int32_t) * (size_t)width)) return 0;
    }
    e->places[at] = (int32_t)count + 1;
    return 1;
}

static num exchanges_search(Context *x, Exchanges *e, list price, list have, list most, num due, list free,
                            list moves, list uses) {
    num sorts = have.n, width = sorts + uses.n, step = 1 + 2 * sorts, count = 1, answer = -1;
    exchanges_room(x, e, width, 256);
    memset(e->places, 0, sizeof(int32_t) * (size_t)e->size);
    for (num i = 0; i < sorts; i++) e->held[i] = have.p[i];
    for (num i = 0; i < uses.n; i++) e->held[sorts + i] = uses.p[i];
    exchanges_new(e, width, 0);
    for (num first = 0, behind = 1, number = 1; first < behind && answer == -1; first = behind, behind = count, number++)
        for (num at = first; at < behind && answer == -1; at++)
            for (num m = 0; m < moves.n; m += step) {
                const int32_t *give = moves.p + m + 1, *get = give + sorts, *held = e->held + width * at;
                num one = moves.p[m], fits = held[sorts + one] > 0;
                for (num i = 0; i < sorts && fits; i++) {
                    num then = held[i] - give[i];
                    fits = then >= 0 && then + get[i] <= most.p[i];
                }
                if (!fits) continue;
                if (2 * (count + 2) > e->size || width * (count + 2) > e->room) {
                    int32_t *places = e->places;
                    num size = e->size;
                    exchanges_room(x, e, width, 2 * count + 2);
                    if (e->places != places || e->size != size)
                        for (num i = 0; i < count; i++) {
                            u64 place = hashed(1, (list){width, e->held + width * i});
                            for (place &= (u64)e->size - 1; e->places[place];) place = (place + 1) & ((u64)e->size - 1);
                            e->places[place] = (int32_t)i + 1;
                        }
                    held = e->held + width * at;
                }
                int32_t *after = e->held + width * count;
                for (num i = 0; i < sorts; i++) after[i] = held[i] - give[i] + get[i];
                for (num i = 0; i < uses.n; i++)
                    after[sorts + i] = held[sorts + i] - (i == one && held[sorts + i] < WITHOUT_END);
                if (!exchanges_new(e, width, count)) continue;
                if (price_met(price, (list){sorts, after}, free) >= due) {
                    answer = number;
                    break;
                }
                if (++count > MOST_SEEN) {
                    answer = -2;
                    break;
                }
            }
    return answer;
}

static num exchanges_needed(Context *x, list price, list have, list most, num due, list free, list moves, list uses) {
    if (price_met(price, have, free) >= due) return 0;
    if (!x->exchanges) x->exchanges = calloc(1, sizeof(Exchanges));
    Exchanges *e = x->exchanges;
    if (!e) fault(x, FAULT_ARENA, 0);
    num sorts = have.n, step = 1 + 2 * sorts, all = list_total(have);
    if (e->asked != moves.p) {
        e->asked = moves.p, e->grows = 0;
        for (num m = 0; m < moves.n && !e->grows; m += step) {
            list give = {sorts, moves.p + m + 1}, get = {sorts, moves.p + m + 1 + sorts};
            e->grows = list_total(get) > list_total(give);
        }
    }
    num grows = e->grows;
    if (all < due && !grows) return -1;
    int32_t most_of[MOST_SORTS];  /* more than there are in all cannot bind */
    for (num i = 0; i < sorts; i++) most_of[i] = (int32_t)(!grows && most.p[i] > all ? all : most.p[i]);
    list bound = {sorts, most_of};
    u64 key = hashed(hashed(hashed(hashed(hashed((u64)due + 7, price), have), bound), uses), free);
    u64 check = hashed(hashed(hashed(hashed((u64)due * 31 + 5 + (u64)(uintptr_t)moves.p, have), price), uses), bound);
    num at = (num)(key & (ANSWERS - 1));
    if (e->known[at].key == key && e->known[at].check == check) return e->known[at].answer;
    num answer = exchanges_search(x, e, price, have, bound, due, free, moves, uses);
    e->known[at].key = key, e->known[at].check = check, e->known[at].answer = (int32_t)answer;
    return answer;
}

static void exchanges_free(Exchanges *e) {
    if (!e) return;
    free(e->held);
    free(e->places);
    free(e);
}

/* ---- sets of one word ---- */

static inline set1 union1(set1 a, set1 b) { return a | b; }
static inline set1 common1(set1 a, set1 b) { return a & b; }
static inline set1 minus1(set1 a, set1 b) { return a & ~b; }
static inline set1 not1(set1 a) { return ~a; }
static inline num same1(set1 a, set1 b) { return a == b; }
static inline num some1(set1 a) { return a != 0; }
static inline void add1(set1 *a, num i) { *a |= 1ULL << i; }
typedef set1 walk1;
static inline walk1 begin1(set1 a) { return a; }
static inline num more1(const walk1 *m) { return *m != 0; }
static inline num next1(walk1 *m) { num i = __builtin_ctzll(*m); *m &= *m - 1; return i; }
static inline num low1(set1 a) { return __builtin_ctzll(a); }
static inline num lowest1(set1 a) { return a ? __builtin_ctzll(a) : -1; }
static inline num highest1(set1 a) { return a ? 63 - __builtin_clzll(a) : -1; }
static inline num size1(set1 a) { return __builtin_popcountll(a); }
static inline set1 just1(num i) { return 1ULL << i; }
static inline set1 only1(num i) { return i >= 0 ? 1ULL << i : 0; }
static inline num has1(num i, set1 a) { return (num)(a >> i & 1); }
static inline num holds1(num i, set1 a) { return i >= 0 && i < 64 ? (num)(a >> i & 1) : 0; }
static inline set1 below1(num n) { return n >= 64 ? ~0ULL : n <= 0 ? 0 : (1ULL << n) - 1; }
static inline set1 span1(num low, num high) { return high >= low ? below1(high + 1) & ~below1(low) : 0; }

/* The member with k smaller ones. */
static inline num nth1(set1 a, num k) {
#ifdef __BMI2__
    return __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << k, a));
#else
    while (k--) a &= a - 1;
    return low1(a);
#endif
}

/* The bits of a word that stand at those of another, next to one another. */
static inline u64 gathered(u64 a, u64 at) {
#ifdef __BMI2__
    return __builtin_ia32_pext_di(a, at);
#else
    u64 found = 0;
    for (int i = 0; at; at &= at - 1, i++) found |= (a >> __builtin_ctzll(at) & 1) << i;
    return found;
#endif
}

static set1 collect1(list l) {
    set1 found = 0;
    for (num i = 0; i < l.n; i++)
        if (l.p[i] >= 0) found |= just1(l.p[i]);
    return found;
}

static inline set1 bag_kinds1(list l) {
    set1 found = 0;
    for (num i = 0; i < l.n; i++) found |= (u64)(l.p[i] > 0) << i;
    return found;
}

static list members1(Context *x, set1 a) {
    list l = list_open(x);
    for (; a; a &= a - 1) list_push(x, &l, low1(a));
    return l;
}

static list without_set1(Context *x, list a, set1 gone) {
    list l = list_open(x);
    for (num i = 0; i < a.n; i++)
        if (!holds1(a.p[i], gone)) list_push(x, &l, a.p[i]);
    return l;
}

static set1 reach1(const set1 *near, set1 start, set1 allowed, num within) {
    set1 found = start, edge = start;
    while (edge && within) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
        within--;
    }
    return found;
}

/* Whether what is reached from a start has a neighbour, beyond it, that is wanted. */
static num touches1(const set1 *near, set1 start, set1 allowed, set1 wanted) {
    set1 found = start, edge = start, met = 0, sure = wanted & ~allowed & ~start;
    while (edge) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        if (around & sure) return 1;
        met |= around;
        edge = around & allowed & ~found;
        found |= edge;
    }
    return (met & wanted & ~found) != 0;
}

static num joined1(const set1 *near, set1 one, set1 other, set1 allowed) {
    set1 goal = other & allowed, found = one & allowed, edge = found;
    while (edge && goal) {
        if (found & goal) return 1;
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
    }
    return 0;
}

/* Whether what is reached from a start has a member that is wanted. */
static num meets1(const set1 *near, set1 start, set1 allowed, set1 wanted) {
    set1 found = start, edge = start;
    while (edge && !(found & wanted)) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
    }
    return (found & wanted) != 0;
}

/* What is reached from a start through allowed spaces: what was found before holds as long as all of it is allowed,
   and grows from there. `begun` is where it began, if that may change. It goes on until something wanted is found. */
static inline void spread1(
    const set1 *near, set1 *found, set1 *around, set1 *begun, set1 start, set1 allowed, set1 wanted) {
    if (*found & ~allowed || (begun && *begun & ~start)) *found = *around = 0;
    if (begun) *begun = start;
    for (set1 edge; (edge = (start | *around) & allowed & ~*found) && !(*found & wanted);) {
        *found |= edge;
        for (; edge; edge &= edge - 1) *around |= near[low1(edge)];
    }
}

static num groups1(const set1 *near, set1 rest) {
    num count = 0;
    while (rest) {
        rest &= ~reach1(near, rest & -rest, rest, -1);
        count++;
    }
    return count;
}

/* ---- sets of several words ---- */

static inline num in_words(num i, const u64 *w) { return (num)(w[i >> 6] >> (i & 63) & 1); }

/* Large ones are functions that are called, so that the compiler is quick and the code small. */
#define SMALL static inline
#define LARGE static __attribute__((noinline, unused))

/* A set of W words as an array of them, or in vectors of V words: those behind W are always 0. Such a set is never put
   together word by word where it is read as a whole soon after, which a processor is slow at. */
#define DEFINE_WORDS(W, HOW) \
typedef struct { u64 w[W]; } set##W; \
HOW set##W union##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] |= b.w[i]; return a; } \
HOW set##W common##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= b.w[i]; return a; } \
HOW set##W minus##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= ~b.w[i]; return a; } \
HOW set##W not##W(set##W a) { for (int i = 0; i < W; i++) a.w[i] = ~a.w[i]; return a; } \
HOW num some##W(set##W a) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i]; return d != 0; } \
HOW num same##W(set##W a, set##W b) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i] ^ b.w[i]; return d == 0; } \
HOW num within##W(set##W a, set##W b) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i] & ~b.w[i]; return d == 0; } \
HOW set##W just##W(num i) { \
    set##W a; for (int j = 0; j < W; j++) a.w[j] = i >> 6 == j ? 1ULL << (i & 63) : 0; return a; } \
static inline void add##W(set##W *a, num i) { a->w[i >> 6] |= 1ULL << (i & 63); } \
static inline void drop##W(set##W *a, num i) { a->w[i >> 6] &= ~(1ULL << (i & 63)); } \
typedef struct { set##W a; int i; } walk##W; \
static inline walk##W begin##W(set##W a) { return (walk##W){a, 0}; } \
static inline num more##W(walk##W *m) { while (m->i < W && !m->a.w[m->i]) m->i++; return m->i < W; } \
static inline num next##W(walk##W *m) { \
    u64 w = m->a.w[m->i]; m->a.w[m->i] = w & (w - 1); return 64 * m->i + __builtin_ctzll(w); }

typedef u64 vector4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef u64 vector8 __attribute__((vector_size(64), aligned(8), may_alias));
static const vector4 PLACES4 = {0, 1, 2, 3};
static const vector8 PLACES8 = {0, 1, 2, 3, 4, 5, 6, 7};
static inline vector4 each4(u64 x) { return (vector4){x, x, x, x}; }
static inline vector8 each8(u64 x) { return (vector8){x, x, x, x, x, x, x, x}; }
static inline num any_word4(vector4 a) { return (a[0] | a[1] | a[2] | a[3]) != 0; }
static inline num any_word8(vector8 a) { return (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]) != 0; }

#define DEFINE_VECTORS(W, V) \
typedef struct { vector##V w; } set##W; \
static inline set##W union##W(set##W a, set##W b) { return (set##W){a.w | b.w}; } \
static inline set##W common##W(set##W a, set##W b) { return (set##W){a.w & b.w}; } \
static inline set##W minus##W(set##W a, set##W b) { return (set##W){a.w & ~b.w}; } \
static inline set##W not##W(set##W a) { return (set##W){~a.w & (vector##V)(PLACES##V < each##V(W))}; } \
static inline num some##W(set##W a) { return any_word##V(a.w); } \
static inline num same##W(set##W a, set##W b) { return !any_word##V(a.w ^ b.w); } \
static inline num within##W(set##W a, set##W b) { return !any_word##V(a.w & ~b.w); } \
static inline set##W just##W(num i) { \
    return (set##W){(vector##V)(PLACES##V == each##V((u64)i >> 6)) & each##V(1ULL << (i & 63))}; } \
static inline void add##W(set##W *a, num i) { a->w |= just##W(i).w; } \
static inline void drop##W(set##W *a, num i) { a->w &= ~just##W(i).w; } \
/* In one line of the cache: else what was written as a whole could not be read by the word at once. */ \
typedef struct { set##W a __attribute__((aligned(64))); u64 left; int i; } walk##W; \
static inline walk##W begin##W(set##W a) { return (walk##W){a, a.w[0], 0}; } \
static inline num more##W(walk##W *m) { \
    while (!m->left && m->i < W - 1) m->left = m->a.w[++m->i]; \
    return m->left != 0; } \
static inline num next##W(walk##W *m) { \
    u64 w = m->left; m->left = w & (w - 1); return 64 * m->i + __builtin_ctzll(w); }

#define DEFINE_SET(W, HOW) \
/* In few words nothing is looked up by an index: so a set need not be in memory. */ \
static inline num has##W(num i, set##W a) { \
    u64 w = a.w[0]; \
    if (W > 3) w = a.w[i >> 6]; \
    else for (int j = 1; j < W; j++) w = i >> 6 == j ? a.w[j] : w; \
    return (num)(w >> (i & 63) & 1); } \
static inline num holds##W(num i, set##W a) { return i >= 0 && i < 64 * W ? has##W(i, a) : 0; } \
HOW num size##W(set##W a) { num n = 0; for (int i = 0; i < W; i++) n += __builtin_popcountll(a.w[i]); return n; } \
HOW num lowest##W(set##W a) { for (int i = 0; i < W; i++) if (a.w[i]) return 64 * i + __builtin_ctzll(a.w[i]); return -1; } \
HOW num highest##W(set##W a) { for (int i = W - 1; i >= 0; i--) if (a.w[i]) return 64 * i + 63 - __builtin_clzll(a.w[i]); return -1; } \
HOW set##W only##W(num i) { return i >= 0 ? just##W(i) : (set##W){{0}}; } \
HOW set##W from##W(u64 low) { set##W a = {{0}}; a.w[0] = low; return a; } \
HOW set##W span##W(num low, num high) { \
    set##W a = {{0}}; for (int i = 0; i < W; i++) a.w[i] = span1(low - 64 * i, high - 64 * i); return a; } \
static inline num nth##W(set##W a, num k) { \
    u64 word = a.w[0], rest = (u64)k, count = (u64)__builtin_popcountll(word); \
    num first = 0; /* without a branch, which nobody could foretell */ \
    for (int i = 1; i < W; i++) { \
        u64 behind = (u64)k >= count, left = (u64)k - count; /* that is very large where it is not behind */ \
        word ^= (word ^ a.w[i]) & -behind, rest = left < rest ? left : rest, first += (num)(behind << 6); \
        count += (u64)__builtin_popcountll(a.w[i]); } \
    return first + nth1(word, (num)rest); } \
HOW set##W collect##W(list l) { \
    set##W a = {{0}}; for (num i = 0; i < l.n; i++) if (l.p[i] >= 0) add##W(&a, l.p[i]); return a; } \
HOW set##W bag_kinds##W(list l) { \
    set##W a = {{0}}; for (num i = 0; i < l.n; i++) if (l.p[i] > 0) add##W(&a, i); return a; } \
HOW list members##W(Context *x, set##W a) { \
    list l = list_open(x); for (walk##W m = begin##W(a); more##W(&m);) list_push(x, &l, next##W(&m)); return l; } \
HOW set##W shift##W(set##W a, int by) { \
    set##W b = {{0}}; int words = (by < 0 ? -by : by) / 64, bits = (by < 0 ? -by : by) % 64; \
    for (int i = 0; i < W; i++) { \
        int j = by < 0 ? i + words : i - words, k = by < 0 ? j + 1 : j - 1; \
        u64 near = j >= 0 && j < W ? a.w[j] : 0, far = k >= 0 && k < W ? a.w[k] : 0; \
        b.w[i] = !bits ? near : by < 0 ? near >> bits | far << (64 - bits) : near << bits | far >> (64 - bits); } \
    return b; } \
HOW list without_set##W(Context *x, list a, set##W gone) { \
    list l = list_open(x); for (num i = 0; i < a.n; i++) if (!holds##W(a.p[i], gone)) list_push(x, &l, a.p[i]); return l; } \
HOW set##W reach##W(const set##W *near, set##W start, set##W allowed, num within) { \
    set##W found = start, edge = start; \
    while (within-- && some##W(edge)) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return found; } \
HOW num touches##W(const set##W *near, set##W start, set##W allowed, set##W wanted) { \
    set##W found = start, edge = start, met = {{0}}, sure = minus##W(minus##W(wanted, allowed), start); \
    while (some##W(edge)) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        if (some##W(common##W(around, sure))) return 1; \
        met = union##W(met, around); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return some##W(minus##W(common##W(met, wanted), found)); } \
HOW num joined##W(const set##W *near, set##W one, set##W other, set##W allowed) { \
    set##W goal = common##W(other, allowed), found = common##W(one, allowed), edge = found; \
    if (!some##W(goal)) return 0; \
    while (some##W(edge)) { \
        if (some##W(common##W(found, goal))) return 1; \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return 0; } \
HOW num meets##W(const set##W *near, set##W start, set##W allowed, set##W wanted) { \
    set##W found = start, edge = start; \
    while (some##W(edge) && !some##W(common##W(found, wanted))) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return some##W(common##W(found, wanted)); } \
HOW void spread##W( \
    const set##W *near, set##W *found, set##W *around, set##W *begun, set##W start, set##W allowed, set##W wanted) { \
    if (!within##W(*found, allowed) || (begun && !within##W(*begun, start))) \
        *found = *around = (set##W){{0}}; \
    if (begun) *begun = start; \
    for (;;) { \
        set##W edge = minus##W(common##W(union##W(start, *around), allowed), *found); \
        if (!some##W(edge) || some##W(common##W(*found, wanted))) return; \
        *found = union##W(*found, edge); \
        for (walk##W m = begin##W(edge); more##W(&m);) *around = union##W(*around, near[next##W(&m)]); } } \
HOW num groups##W(const set##W *near, set##W rest) { \
    num count = 0; \
    while (some##W(rest)) { rest = minus##W(rest, reach##W(near, just##W(lowest##W(rest)), rest, -1)); count++; } \
    return count; }

/* The groups of connected members of sets that are kept, from decision to decision: of each set the spaces of every
   group, and what lies beside it. `base` is the set for which they were made. While effects are tried out members may
   have come; then groups are put together on the way, and not changed. `sure` are all members of groups that have
   two or more wanted spaces beside them: when one change has been made, they still have one. */
#define DEFINE_CLUSTERS(W) \
typedef struct { set##W base, whole[64 * W], border[64 * W]; int16_t of[64 * W]; } clusters##W; \
static void come##W(clusters##W *c, const set##W *near, num at) { \
    set##W whole = just##W(at), border = near[at]; \
    num into = at, most = 0; \
    for (walk##W m = begin##W(common##W(near[at], c->base)); more##W(&m);) { \
        num one = c->of[next##W(&m)]; \
        num size = size##W(c->whole[one]); \
        if (size > most) most = size, into = one; \
        whole = union##W(whole, c->whole[one]), border = union##W(border, c->border[one]); } \
    set##W moved = into == at ? whole : minus##W(whole, c->whole[into]); \
    for (walk##W m = begin##W(moved); more##W(&m);) c->of[next##W(&m)] = (int16_t)into; \
    c->whole[into] = whole, c->border[into] = minus##W(border, whole); \
    add##W(&c->base, at); } \
/* Brings groups up to date; says which spaces belong to groups that are new. */ \
static set##W regroup##W(clusters##W *c, const set##W *near, set##W now) { \
    set##W gone = minus##W(c->base, now), again = minus##W(gone, gone); \
    for (walk##W m = begin##W(gone); more##W(&m);) again = union##W(again, c->whole[c->of[next##W(&m)]]); \
    c->base = minus##W(c->base, again); \
    set##W fresh = minus##W(now, c->base); \
    for (walk##W m = begin##W(fresh); more##W(&m);) come##W(c, near, next##W(&m)); \
    return fresh; } \
static void keep##W(clusters##W *c, num values, const set##W *near, const set##W *now, set##W wanted, \
                    set##W *sure, set##W *before) { \
    num other_ = 0; \
    for (num v = 0; v < values; v++) other_ |= !same##W(c[v].base, now[v]); \
    if (same##W(wanted, *before) && !other_) return; \
    set##W nothing = minus##W(wanted, wanted), check = nothing, all = nothing; \
    set##W other = union##W(minus##W(wanted, *before), minus##W(*before, wanted)); \
    for (walk##W m = begin##W(other); more##W(&m);) check = union##W(check, near[next##W(&m)]); \
    for (num v = 0; v < values; v++) { \
        if (!same##W(c[v].base, now[v])) check = union##W(check, regroup##W(c + v, near, now[v])); \
        all = union##W(all, now[v]); } \
    *before = wanted, *sure = common##W(*sure, all); \
    for (num v = 0; v < values; v++) { \
        set##W rest = common##W(check, now[v]); \
        while (some##W(rest)) { \
            num one = c[v].of[lowest##W(rest)]; \
            rest = minus##W(rest, c[v].whole[one]); \
            set##W free = minus##W(common##W(c[v].border[one], wanted), now[v]); \
            *sure = size##W(free) > 1 ? union##W(*sure, c[v].whole[one]) : minus##W(*sure, c[v].whole[one]); } } } \
/* The spaces whose groups may have no wanted space beside them. */ \
static inline set##W unsure##W(const clusters##W *c, num values, const set##W *now, set##W wanted, set##W sure, \
                               set##W before) { \
    set##W lost = minus##W(before, wanted), everything = union##W(sure, not##W(sure)); \
    for (num v = 0; v < values; v++) { \
        if (some##W(minus##W(c[v].base, now[v]))) return everything; \
        lost = union##W(lost, minus##W(now[v], c[v].base)); } \
    return size##W(lost) > 1 ? everything : not##W(sure); } \
static inline set##W cluster##W(const clusters##W *c, const set##W *near, num at, set##W now) { \
    if (some##W(minus##W(c->base, now))) return reach##W(near, just##W(at), now, -1); \
    num known = has##W(at, c->base); \
    set##W found = known ? c->whole[c->of[at]] : just##W(at), border = known ? c->border[c->of[at]] : near[at]; \
    for (;;) { \
        set##W edge = minus##W(common##W(border, now), found); \
        if (!some##W(edge)) return found; \
        num next = lowest##W(edge); \
        known = has##W(next, c->base); \
        found = union##W(found, known ? c->whole[c->of[next]] : just##W(next)); \
        border = union##W(border, known ? c->border[c->of[next]] : near[next]); } } \
/* Whether the group of a space has a neighbour, beyond it, that is wanted. */ \
static num beside_joined##W(const clusters##W *c, const set##W *near, num at, set##W now, set##W wanted) { \
    if (some##W(minus##W(c->base, now))) return touches##W(near, just##W(at), now, wanted); \
    num known = has##W(at, c->base); \
    set##W found = known ? c->whole[c->of[at]] : just##W(at), border = known ? c->border[c->of[at]] : near[at]; \
    set##W free = minus##W(minus##W(wanted, now), just##W(at)); \
    for (;;) { \
        if (some##W(common##W(border, free))) return 1; \
        set##W edge = minus##W(common##W(border, now), found); \
        if (!some##W(edge)) return 0; \
        num next = lowest##W(edge); \
        known = has##W(next, c->base); \
        found = union##W(found, known ? c->whole[c->of[next]] : just##W(next)); \
        border = union##W(border, known ? c->border[c->of[next]] : near[next]); } } \
static inline num beside##W(const clusters##W *c, const set##W *near, num at, set##W now, set##W wanted) { \
    num known = has##W(at, c->base) && !some##W(minus##W(c->base, now)); \
    set##W border = known ? c->border[c->of[at]] : near[at]; \
    return some##W(minus##W(common##W(border, wanted), now)) || beside_joined##W(c, near, at, now, wanted); }

/* A set of W words from one of V words. */
#define DEFINE_FIT(W, V) \
static inline set##W fit##W##_##V(set##V a) { \
    set##W b = {{0}}; for (int i = 0; i < W && i < V; i++) b.w[i] = a.w[i]; return b; }
