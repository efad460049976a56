
/* ---- whether what is chosen one after the other can be completed: see engine/extending.py, step by step ---- */

typedef struct { num n, room, *p; } Numbers;

static void numbers_push(Numbers *l, num value) {
    if (l->n == l->room) {
        l->room = 2 * l->room + 64;
        l->p = realloc(l->p, sizeof(num) * (size_t)l->room);
    }
    l->p[l->n++] = value;
}

/* Room for n numbers, all 0. */
static num *numbers_room(Numbers *l, num n) {
    if (n > l->room) {
        l->room = n;
        l->p = realloc(l->p, sizeof(num) * (size_t)n);
    }
    l->n = n;
    if (n) memset(l->p, 0, sizeof(num) * (size_t)n);
    return l->p;
}

/* Keys of one length that were met: the keys, one after the other, and where they stand by their hash. */
typedef struct { Numbers keys, at; num length, n; } Met;

static num met_place(const Met *m, const num *key) {
    u64 h = 0;
    for (num i = 0; i < m->length; i++) h = mixed(h + GOLDEN + (u64)key[i]);
    num place = (num)(h & (u64)(m->at.n - 1));
    while (m->at.p[place] && memcmp(m->keys.p + (m->at.p[place] - 1) * m->length, key, sizeof(num) * (size_t)m->length))
        place = (place + 1) & (m->at.n - 1);
    return place;
}

static void met_begin(Met *m, num length) {
    m->length = length;
    m->n = m->keys.n = 0;
    numbers_room(&m->at, 64);
}

static num met_has(const Met *m, const num *key) { return m->at.p[met_place(m, key)] != 0; }

static void met_add(Met *m, const num *key) {
    if (2 * m->n >= m->at.n) {
        numbers_room(&m->at, 2 * m->at.n);
        for (num i = 0; i < m->n; i++) m->at.p[met_place(m, m->keys.p + i * m->length)] = i + 1;
    }
    num place = met_place(m, key);
    if (m->at.p[place]) return;
    for (num i = 0; i < m->length; i++) numbers_push(&m->keys, key[i]);
    m->at.p[place] = ++m->n;
}

enum { FAILS, HOLDS, MAYBE, SUM, ALL, SOME, PASSING };  /* how a test comes out; what it is made of */
enum { AT_LEAST, AT_MOST, EQUAL, UNEQUAL };
enum { A_SET, A_BAG, A_LIST };

typedef struct Search {
    num form, in_order, whole, gave_up;
    num fewest, most;
    num (*so_far)(Context *x, struct State *s);
    num (*goes_on)(Context *x, struct State *s);
    num (*taken)(Context *x, struct State *s, num value);       /* how many of an element are chosen */
    void (*put)(Context *x, struct State *s, num value, num in); /* one more of it, or the last one back */
    Numbers values, there, twins, adds, keys, relations, bounds, must, open;
    num columns, singly, words;
    /* the piles, and where each begins among its elements */
    Numbers piles, begins, elements, counts, least, most_of, least_from, rest_from, settled, order, marks;
    Numbers needs, leaves;  /* sums to which different piles add something, each with the most (the least) of it */
    Numbers sums, known, state, rest;  /* of each level of the search */
    Met failed, refused;
    num stored;
} Search;

static Search *search_begin(Context *x, num form) {
    if (x->searching >= MOST_WITHIN) fault(x, FAULT_ARENA, 0);
    if (!x->searches[x->searching]) x->searches[x->searching] = calloc(1, sizeof(Search));
    Search *q = x->searches[x->searching++];
    q->form = form;
    q->values.n = q->there.n = q->twins.n = q->adds.n = q->keys.n = 0;
    q->relations.n = q->bounds.n = q->must.n = q->open.n = q->columns = 0;
    return q;
}

static void search_end(Context *x) { x->searching--; }

static void search_free(Search *q) {
    if (!q) return;
    Numbers *all[] = {&q->values, &q->there, &q->twins, &q->adds, &q->keys, &q->relations, &q->bounds, &q->must, &q->open,
                      &q->piles, &q->begins, &q->elements, &q->counts, &q->least, &q->most_of, &q->least_from,
                      &q->rest_from, &q->settled, &q->order, &q->marks, &q->needs, &q->leaves, &q->sums, &q->known, &q->state, &q->rest,
                      &q->failed.keys, &q->failed.at, &q->refused.keys, &q->refused.at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->p);
    free(q);
}

static void search_values(Search *q, list values) {
    for (num i = 0; i < values.n; i++) {
        numbers_push(&q->values, q->form == A_BAG ? i : values.p[i]);
        numbers_push(&q->there, q->form == A_BAG ? values.p[i] : 1);
    }
}

/* Tests are written down one within the other: what they are, then for those with parts where they end. */
static void search_open(Search *q, num form) {
    numbers_push(&q->must, form);
    numbers_push(&q->open, q->must.n);
    numbers_push(&q->must, 0);
}

static void search_passing(Search *q, num relation, num bound) {
    search_open(q, PASSING);
    numbers_push(&q->must, relation);
    numbers_push(&q->must, bound);
}

static void search_close(Search *q) { q->must.p[q->open.p[--q->open.n]] = q->must.n; }

static void search_sum(Search *q, num relation, num bound) {
    numbers_push(&q->must, SUM);
    numbers_push(&q->must, q->relations.n);
    numbers_push(&q->relations, relation);
    numbers_push(&q->bounds, bound);
    q->columns++;
}

/* A column for all elements with the same numbers in `keys`, of which each has so many. */
static void search_kinds(Search *q, num each) {
    num n = q->values.n, *kinds = numbers_room(&q->marks, n), count = 0;
    for (num i = 0; i < n; i++) {
        num j = 0;
        while (j < i && memcmp(q->keys.p + j * each, q->keys.p + i * each, sizeof(num) * (size_t)each)) j++;
        kinds[i] = j < i ? kinds[j] : count++;
    }
    for (num kind = 0; kind < count; kind++, q->columns++)
        for (num i = 0; i < n; i++) numbers_push(&q->adds, kinds[i] == kind);
}

static inline num added(const Search *q, num column, num i) { return q->adds.p[column * q->values.n + i]; }

static num adds_alike(const Search *q, num i, num j) {
    for (num column = 0; column < q->columns; column++)
        if (added(q, column, i) != added(q, column, j)) return 0;
    return 1;
}

/* Marks the sums that must come out as they are asked to, whatever else does. */
static void conjunction(Search *q, num *at, num *marks) {
    num form = q->must.p[(*at)++];
    if (form < SUM) return;
    num what = q->must.p[(*at)++];
    if (form == SUM) marks[what] = 1;
    else if (form == ALL) while (*at < what) conjunction(q, at, marks);
    else *at = what;
}

/* A sum that must hold, to which all elements add the same, says how many may be chosen. */
static void search_sized(Search *q) {
    num *certain = numbers_room(&q->marks, q->relations.n), at = 0;
    conjunction(q, &at, certain);
    for (num i = 0; i < q->relations.n; i++) {
        num relation = q->relations.p[i], bound = q->bounds.p[i], same = q->values.n > 0;
        for (num j = 1; j < q->values.n && same; j++) same = added(q, i, j) == added(q, i, 0);
        if (!certain[i] || relation == UNEQUAL || !same || !added(q, i, 0)) continue;
        num add = added(q, i, 0);
        if (add < 0) {
            add = -add, bound = -bound;
            if (relation != EQUAL) relation = AT_LEAST + AT_MOST - relation;
        }
        if (relation != AT_MOST) q->fewest = greatest(q->fewest, -floored(-bound, add));
        if (relation != AT_LEAST) q->most = least(q->most, floored(bound, add));
    }
}

static void search_ready(Search *q) {
    num n = q->values.n, total = 0, twins = 0;
    for (num i = 0; i < n; i++) total += q->there.p[i];
    q->most = least(q->most, total);
    search_sized(q);
    q->words = (n + 63) / 64;
    for (num i = 0; i < q->twins.n; i++) twins |= q->twins.p[i] != i;
    if (!twins) q->twins.n = 0;
    if (q->form == A_LIST) {
        q->singly = q->in_order || q->so_far;
    } else {
        q->singly = twins && (q->whole || q->so_far);
        for (num i = 0; i < q->twins.n && !q->singly; i++) q->singly = !adds_alike(q, i, q->twins.p[i]);
    }
}

static num how_compared(num relation, num bound, num low, num high) {
    if (relation == AT_LEAST) return low >= bound ? HOLDS : high < bound ? FAILS : MAYBE;
    if (relation == AT_MOST) return high <= bound ? HOLDS : low > bound ? FAILS : MAYBE;
    num same = low == high && low == bound ? HOLDS : high < bound || low > bound ? FAILS : MAYBE;
    return relation == EQUAL || same == MAYBE ? same : !same;
}

static num outcome(const Search *q, num *at, const num *known) {
    const num *must = q->must.p;
    num form = must[(*at)++];
    if (form < SUM) return form;
    if (form == SUM) return known[must[(*at)++]];
    num end = must[(*at)++], relation = 0, bound = 0, hold = 0, fail = 0, all = 0;
    if (form == PASSING) relation = must[(*at)++], bound = must[(*at)++];
    while (*at < end) {
        num one = outcome(q, at, known);
        all++, hold += one == HOLDS, fail += one == FAILS;
    }
    if (form == PASSING) return how_compared(relation, bound, hold, all - fail);
    if (form == ALL) return fail ? FAILS : hold < all ? MAYBE : HOLDS;
    return hold ? HOLDS : fail < all ? MAYBE : FAILS;
}

static num must_fail(const Search *q, const num *known) {
    num at = 0;
    return outcome(q, &at, known) == FAILS;
}

static void try_one(Context *x, const Search *q) {
    if (++x->tries > MOST_TRIED) fault(x, q->gave_up, 0);
}

static num search_complete(Context *x, struct State *s, Search *q, num size, const num *sums, num *known) {
    if (size < q->fewest) return 0;
    for (num i = 0; i < q->relations.n; i++)
        known[i] = how_compared(q->relations.p[i], q->bounds.p[i], sums[i], sums[i]);
    if (must_fail(q, known)) return 0;
    num *key = numbers_room(&q->marks, 1 + q->columns);
    key[0] = size;
    if (q->columns) memcpy(key + 1, sums, sizeof(num) * (size_t)q->columns);
    if (met_has(&q->refused, key)) return 0;
    num mark = x->top, found = q->goes_on(x, s);
    x->top = mark;
    if (!found && !q->whole && !q->in_order && q->stored < MOST_STORED) {
        q->stored += 2 + q->columns;
        key = numbers_room(&q->marks, 1 + q->columns);
        key[0] = size;
        if (q->columns) memcpy(key + 1, sums, sizeof(num) * (size_t)q->columns);
        met_add(&q->refused, key);
    }
    return found;
}

/* Sums of which it was told how they come out are alike: far from where others are. */
static void write_state(const Search *q, const num *known, const num *sums, num *state) {
    for (num i = 0; i < q->columns; i++)
        state[i] = i >= q->relations.n || known[i] == MAYBE ? sums[i] : known[i] == HOLDS ? INT64_MAX : INT64_MIN;
}

static num add_of(const Search *q, num column, num pile) { return added(q, column, q->piles.p[pile]); }

/* Between which numbers a sum can come out. */
static void sum_range(const Search *q, num which, num at, num size, num *low, num *high) {
    num fewest = greatest(0, q->fewest - size - q->least_from.p[at]), most = q->most - size - q->least_from.p[at];
    const num *order = q->order.p + which * q->piles.n;
    num up = 0, down = 0;
    for (num i = 0; i < q->piles.n; i++) {
        num pile = order[i];
        if (pile < at) continue;
        num add = add_of(q, which, pile), n = q->most_of.p[pile] - q->least.p[pile];
        *low += add * q->least.p[pile];
        *high += add * q->least.p[pile];
        n = least(n, (add < 0 ? most : fewest) - down);
        if (n > 0) down += n, *low += add * n;
    }
    for (num i = q->piles.n - 1; i >= 0; i--) {
        num pile = order[i];
        if (pile < at) continue;
        num add = add_of(q, which, pile), n = q->most_of.p[pile] - q->least.p[pile];
        n = least(n, (add > 0 ? most : fewest) - up);
        if (n > 0) up += n, *high += add * n;
    }
}

/* Sums that must hold to which different piles add something; with each the most that one adds, or the least. */
static void search_apart(Search *q, num bad, Numbers *found, num *certain) {
    num *taken = numbers_room(&q->known, q->piles.n);
    found->n = 0;
    for (num which = 0; which < q->relations.n; which++) {
        num relation = q->relations.p[which], fits = 1, most = 0, fewest = INT64_MAX;
        if (!certain[which] || q->settled.p[which] || relation == UNEQUAL || relation == bad) continue;
        for (num i = 0; i < q->piles.n && fits; i++) {
            num add = add_of(q, which, i);
            if (!add) continue;
            fits = add > 0 && !taken[i];
            most = greatest(most, add), fewest = least(fewest, add);
        }
        if (!fits || !most) continue;
        for (num i = 0; i < q->piles.n; i++) taken[i] |= add_of(q, which, i) != 0;
        numbers_push(found, which);
        numbers_push(found, bad == AT_MOST ? most : fewest);
    }
}

/* Whether several sums together need more elements than may still come, or leave fewer than must come. */
static num counted_out(const Search *q, num at, num size, const num *sums) {
    num needed = 0, left = q->rest_from.p[at];
    for (num i = 0; i < q->needs.n; i += 2) {
        num which = q->needs.p[i];
        needed += greatest(0, -floored(sums[which] - q->bounds.p[which], q->needs.p[i + 1]));
    }
    if (size + needed > q->most) return 1;
    for (num i = 0; i < q->leaves.n; i += 2) {
        num which = q->leaves.p[i], there = 0;
        for (num pile = at; pile < q->piles.n; pile++)
            if (add_of(q, which, pile)) there += q->most_of.p[pile];
        left -= greatest(0, there - greatest(0, floored(q->bounds.p[which] - sums[which], q->leaves.p[i + 1])));
    }
    return size + left < q->fewest;
}

static num search_piles(Context *x, struct State *s, Search *q, num level, num at, num size) {
    num columns = q->columns, tests = q->relations.n, length = 2 + columns;
    num *sums = q->sums.p + level * columns, *after = sums + columns;
    num *known = q->known.p + level * tests, *key = q->state.p + level * length;
    try_one(x, q);
    if (!q->least_from.p[at] && search_complete(x, s, q, size, sums, known)) return 1;
    if (size == q->most || counted_out(q, at, size, sums)) return 0;
    for (num i = 0; i < tests; i++) {
        if (q->settled.p[i]) {
            known[i] = HOLDS;
            continue;
        }
        num low = sums[i], high = sums[i];
        sum_range(q, i, at, size, &low, &high);
        known[i] = how_compared(q->relations.p[i], q->bounds.p[i], low, high);
    }
    if (must_fail(q, known)) return 0;
    key[0] = at, key[1] = size;
    write_state(q, known, sums, key + 2);
    if (met_has(&q->failed, key)) return 0;
    for (num pile = at; pile < q->piles.n; pile++) {
        if (columns) memcpy(after, sums, sizeof(num) * (size_t)columns);
        num found = 0, n = 0, stop = 0, highest = least(q->most_of.p[pile], q->most - size);
        num first = q->begins.p[pile], last = q->begins.p[pile + 1], e = first, of = 0;
        while (n < highest && e < last && !found && !stop) {
            if (of == q->counts.p[e]) {
                e++, of = 0;
                continue;
            }
            n++, of++;
            q->put(x, s, q->values.p[q->elements.p[e]], 1);
            for (num i = 0; i < columns; i++) after[i] += add_of(q, i, pile);
            if (q->so_far) {
                num mark = x->top;
                stop = !q->so_far(x, s);
                x->top = mark;
                if (stop) break;
            }
            found = n >= q->least.p[pile] && size + n + q->least_from.p[pile + 1] <= q->most &&
                    size + n + q->rest_from.p[pile + 1] >= q->fewest &&
                    search_piles(x, s, q, level + 1, pile + 1, size + n);
        }
        for (; n; n--, of--) {
            while (!of) of = q->counts.p[--e];
            q->put(x, s, q->values.p[q->elements.p[e]], 0);
        }
        if (found) return 1;
        if (q->least.p[pile] || size + q->rest_from.p[pile + 1] < q->fewest) break;
    }
    if (!q->whole && q->stored < MOST_STORED) q->stored += length, met_add(&q->failed, key);
    return 0;
}

static inline num is_in(const num *set, num i) { return (num)((u64)set[i / 64] >> (i % 64) & 1); }
static inline void flip(num *set, num i) { set[i / 64] = (num)((u64)set[i / 64] ^ 1ULL << (i % 64)); }

static num search_next(Context *x, struct State *s, Search *q, num level, num size) {
    num columns = q->columns, tests = q->relations.n, words = q->words, length = words + 1 + columns, n = q->values.n;
    num *sums = q->sums.p + level * columns, *after = sums + columns;
    num *rest = q->rest.p + level * words, *left = rest + words;
    num *known = q->known.p + level * tests, *key = q->state.p + level * length;
    try_one(x, q);
    if (search_complete(x, s, q, size, sums, known)) return 1;
    num open = 0;
    for (num i = 0; i < words; i++) open += __builtin_popcountll((u64)rest[i]);
    if (size == q->most || size + open < q->fewest) return 0;
    for (num which = 0; which < tests; which++) {
        num low = sums[which], high = sums[which];
        for (num i = 0; i < n; i++)
            if (is_in(rest, i)) low += least(0, added(q, which, i)), high += greatest(0, added(q, which, i));
        known[which] = how_compared(q->relations.p[which], q->bounds.p[which], low, high);
    }
    if (must_fail(q, known)) return 0;
    memset(key, 0, sizeof(num) * (size_t)length);
    memcpy(key, rest, sizeof(num) * (size_t)words);
    if (q->form != A_LIST) {
        key[words] = size;
        write_state(q, known, sums, key + words + 1);
    }
    if (met_has(&q->failed, key)) return 0;
    for (num i = 0; i < n; i++) {
        num later = !is_in(rest, i);
        for (num j = 0; j < i && !later && q->form != A_LIST; j++)
            later = is_in(rest, j) && q->twins.p[j] == q->twins.p[i];
        if (later) continue;  /* of those that nothing tells apart the first comes first */
        memcpy(left, rest, sizeof(num) * (size_t)words);
        flip(left, i);
        if (q->form != A_LIST) {  /* those behind it, and of twins that were passed by, none */
            for (num j = 0; j < n; j++) {
                num passed = j < i;
                for (num k = 0; k < i && !passed; k++) passed = is_in(rest, k) && q->twins.p[k] == q->twins.p[j];
                if (passed && is_in(left, j)) flip(left, j);
            }
        }
        for (num column = 0; column < columns; column++) after[column] = sums[column] + added(q, column, i);
        q->put(x, s, q->values.p[i], 1);
        num mark = x->top, found = !q->so_far || q->so_far(x, s);
        x->top = mark;
        found = found && search_next(x, s, q, level + 1, size + 1);
        q->put(x, s, q->values.p[i], 0);
        if (found) return 1;
    }
    if (!(q->form == A_LIST ? q->in_order : q->whole) && q->stored < MOST_STORED)
        q->stored += 2 + columns, met_add(&q->failed, key);
    return 0;
}

/* Sums that must hold, to which only one pile adds anything, are bounds of what is taken of it. */
static num search_bounded(Search *q, const num *sums) {
    num *certain = numbers_room(&q->marks, q->relations.n), at = 0;
    numbers_room(&q->settled, q->relations.n);
    conjunction(q, &at, certain);
    for (num i = 0; i < q->relations.n; i++) {
        num adding = 0, pile = 0, relation = q->relations.p[i];
        for (num j = 0; j < q->piles.n; j++)
            if (add_of(q, i, j)) adding++, pile = j;
        if (!certain[i] || adding != 1 || relation == UNEQUAL) continue;
        num add = add_of(q, i, pile), left = q->bounds.p[i] - sums[i];
        if (add < 0) {
            add = -add, left = -left;
            if (relation != EQUAL) relation = AT_LEAST + AT_MOST - relation;
        }
        if (relation != AT_MOST) q->least.p[pile] = greatest(q->least.p[pile], -floored(-left, add));
        if (relation != AT_LEAST) q->most_of.p[pile] = least(q->most_of.p[pile], floored(left, add));
        q->settled.p[i] = 1;
        if (q->least.p[pile] > q->most_of.p[pile]) return 0;
    }
    return 1;
}

/* The elements that may still be taken, as piles of those that nothing tells apart. */
static void search_heap(Search *q, const num *open) {
    num n = q->values.n, apart = q->whole || q->so_far;
    q->piles.n = q->begins.n = q->elements.n = q->counts.n = q->least.n = q->most_of.n = 0;
    num *done = numbers_room(&q->marks, n);
    for (num i = 0; i < n; i++) {
        if (!open[i] || done[i]) continue;
        numbers_push(&q->piles, i);
        numbers_push(&q->begins, q->elements.n);
        num most = 0;
        for (num j = i; j < n; j++) {
            if (!open[j] || done[j] || (j > i && (apart || !adds_alike(q, i, j)))) continue;
            done[j] = 1;
            numbers_push(&q->elements, j);
            numbers_push(&q->counts, open[j]);
            most += open[j];
        }
        numbers_push(&q->least, 0);
        numbers_push(&q->most_of, most);
    }
    numbers_push(&q->begins, q->elements.n);
}

/* Whether what the state holds can be completed by more elements. */
static num search_possible(Context *x, struct State *s, Search *q) {
    num n = q->values.n, columns = q->columns, tests = q->relations.n, size = 0, last = -1;
    num length = 2 + columns + q->words;
    num *sums = numbers_room(&q->sums, (n + 2) * columns), *open = numbers_room(&q->order, n);
    numbers_room(&q->known, (n + 2) * tests);
    numbers_room(&q->state, (n + 2) * length);
    num *rest = numbers_room(&q->rest, (n + 2) * q->words);
    for (num i = 0; i < n; i++) {
        num taken = q->taken(x, s, q->values.p[i]);
        open[i] = q->there.p[i] - taken;
        if (!taken) continue;
        last = i, size += taken;
        for (num column = 0; column < columns; column++) sums[column] += taken * added(q, column, i);
    }
    for (num i = 0; i < n && q->form == A_BAG; i++)
        if (i < last || open[i] < 0) open[i] = 0;
    for (num i = 0; i < n && q->form == A_SET; i++) {
        num closed = i <= last;
        for (num j = 0; j < last && !closed && q->twins.n; j++) closed = open[j] && q->twins.p[j] == q->twins.p[i];
        if (closed && i > last) open[i] = -1;
    }
    for (num i = 0; i < n && q->form == A_SET; i++)
        if (i <= last || open[i] < 0) open[i] = 0;
    met_begin(&q->refused, 1 + columns);
    q->stored = 0;
    if (q->singly) {
        met_begin(&q->failed, q->words + 1 + columns);
        for (num i = 0; i < n; i++)
            if (open[i]) flip(rest, i);
        return search_next(x, s, q, 0, size);
    }
    met_begin(&q->failed, 2 + columns);
    search_heap(q, open);
    if (!search_bounded(q, sums)) return 0;
    num piles = q->piles.n;
    num *from = numbers_room(&q->least_from, piles + 1), *up = numbers_room(&q->rest_from, piles + 1);
    for (num i = piles - 1; i >= 0; i--) from[i] = from[i + 1] + q->least.p[i], up[i] = up[i + 1] + q->most_of.p[i];
    if (size + from[0] > q->most || size + up[0] < q->fewest) return 0;
    num *certain = numbers_room(&q->marks, tests), at = 0;
    conjunction(q, &at, certain);
    search_apart(q, AT_MOST, &q->needs, certain);
    search_apart(q, AT_LEAST, &q->leaves, certain);
    numbers_room(&q->known, (n + 2) * tests);
    num *order = numbers_room(&q->order, tests * piles);
    for (num which = 0; which < tests; which++, order += piles) {  /* by what they add, the least first */
        for (num i = 0; i < piles; i++) {
            num at = i;
            for (; at && add_of(q, which, order[at - 1]) > add_of(q, which, i); at--) order[at] = order[at - 1];
            order[at] = i;
        }
    }
    return search_piles(x, s, q, 0, 0, size);
}

/* As search_possible; what is asked meanwhile may not try as many ways again. */
static num search_extended(Context *x, struct State *s, Search *q) {
    x->asking++;
    num found = search_possible(x, s, q);
    x->asking--;
    return found;
}
