/* ---- prices: see engine/payments.py ---- */

enum { MOST_SORTS = 30, MOST_FREE = 8 };

static num price_met(list price, list have, list free) {
    num met = 0, fewest = 0, parts = 0, all = 0;
    int32_t rest[MOST_SORTS], wanted[MOST_FREE];
    uint32_t sorts[MOST_FREE];
    for (num i = 0; i < have.n; i++) {
        num over = (num)have.p[i] - price.p[i];  /* as a minimum of two int32_t gcc sends it through memory: half as fast */
        if (over < 0) over = 0;
        rest[i] = (int32_t)over;
        met += have.p[i] - over;
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

