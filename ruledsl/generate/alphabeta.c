/* ---- alpha-beta: what follows if both do their best, a few decisions ahead; `ruledsl.bots.ahead` does the same ----

   For two players against each other, with nothing hidden and no chance. It looks one decision ahead, then two, and so
   on; what was found before puts options in order. Behind the last decision a position is judged, once nothing is about
   to be taken. Values are whole numbers for whoever decides: what the judge sees, or beyond EDGE what is certain. */

enum { FARTHEST = 96, SURE = 128, EDGE = 1 << 20, STEADY = 1 << 18, ENDLESS = 1 << 28, SOLVED = 1000, SAID_SCALE = 16, EXCHANGE = 6,
       LATE = 5, ENTRIES = 1 << 20, FIRST_TRIED = 1 << 30, KILLER = 1 << 29, HABITUAL = 1 << 24,
       EXACT = 0, AT_LEAST = 1, AT_MOST = 2, NOT_TAKEN = 0, TAKEN_FREELY = 1, TAKEN_BY_FORCE = 2 };

/* What is known of a position, from looking so many decisions ahead. */
struct Entry { u64 key; int32_t value, option; int16_t depth, bound; };

/* A decision on the way that is being looked at. */
struct Level { State state; num count, seat, room; int32_t *rows; num *scores; u64 killers[2]; };

struct Alpha {
    Tree *t;                  /* its context, its judge, its habits */
    Level levels[FARTHEST + 1];
    Entry *entries;
    num entry_count, entry_room;
    num seen, limit;          /* positions that were looked at, and may be */
    volatile num stop;        /* set from outside when time is up */
    num out;                  /* whether looking is being given up */
    num judged;               /* how often something was judged, not known */
    num captures;             /* whether options take pieces of the other side, and must be taken then */
    num depth, done;          /* how far ahead it looks now; whether all is known */
    num best, value, tried;   /* at the root: the best option so far, and how many were tried at this depth */
    num *values, *spent;      /* by option of the root */
    num *liked;               /* a little that each seems better, by chance: else all plays would be alike */
};

/* What a position that is not over is worth to a seat, against the other. */
static num steady(Alpha *a, State *s, num seat) {
    num stands[PLAYERS] = {0}, scale = 1;
    if (a->t->judge.said == SAID_APART) ask_what_is_good(a->t, s, stands), scale = SAID_SCALE;
    else stands_at(a->t, s, stands);
    num ahead = (stands[seat] - stands[PLAYERS - 1 - seat]) * scale;
    return least(greatest(ahead, -STEADY), STEADY);
}

/* What the end of a play is worth to a seat: a win sooner is better, a loss later. */
static num final_value(Alpha *a, State *s, num seat, num ply) {
    come_to(a->t, s, STOP_OVER);
    num ahead = (a->t->result[seat] - a->t->result[PLAYERS - 1 - seat]) * SURE;
    return ahead > 0 ? ahead - ply : ahead < 0 ? ahead + ply : 0;
}

/* Pieces on the boards that belong to the other players, and what all have scored: what taking changes. */
static num not_taken(Alpha *a, State *s, num seat) {
    const Judge *j = &a->t->judge;
    num found = 0, points[PLAYERS * (ROWS ? ROWS : 1)];
    for (num p = 0; p < PIECES; p++) {
        if (lies_at(s, p) >= FIRST_PLACE) continue;
        num whose = j->side >= 0 ? field_at(s, j->side, p) : j->owner[p];
        found += whose >= 0 && whose != seat;
    }
    if (ROWS) {
        scores(a->t->x, s, points);
        a->t->x->top = 0;
        for (num i = 0; i < PLAYERS * ROWS; i++) found = found * 31 + points[i];
    }
    return found;
}

/* Whether something was taken by an option; without points it must be fewer pieces, not more. */
static num taken(num before, num after) { return ROWS ? before != after : after < before; }

/* Goes on to the next decision without listing options. */
static num peek(Context *x, State *s, num limit) {
    x->playing = 1, x->decisions = 0, x->limit = 0;
    num stop = run(x, s);
    x->playing = 0, x->limit = limit;
    return stop;
}

/* The state behind an option, in the next level; gives up when enough was seen. */
static num next_state(Alpha *a, num ply, num i) {
    if (++a->seen > a->limit || a->stop) {
        a->out = 1;
        return 0;
    }
    const Level *l = &a->levels[ply];
    State *s = &a->levels[ply + 1].state;
    begin(s, &l->state);
    take(a->t->x, s, l->rows + i * STRIDE, 0);
    return 1;
}

/* The options of a level are those in the context. */
static void list_options(Alpha *a, num ply) {
    Level *l = &a->levels[ply];
    Context *x = a->t->x;
    l->count = x->count, l->seat = x->seat;
    if (l->count > l->room) {
        l->room = l->count;
        l->rows = realloc(l->rows, sizeof(int32_t) * (size_t)(l->room * STRIDE));
        l->scores = realloc(l->scores, sizeof(num) * (size_t)l->room);
    }
    memcpy(l->rows, x->rows, sizeof(int32_t) * (size_t)(l->count * STRIDE));
}

/* The option that comes next, by its score, or -1; each once. */
static num next_best(Level *l) {
    num best = -1;
    for (num i = 0; i < l->count; i++)
        if (l->scores[i] > -ENDLESS && (best < 0 || l->scores[i] > l->scores[best])) best = i;
    if (best >= 0) l->scores[best] = -ENDLESS;
    return best;
}

/* Behind the last decision: what is about to be taken is taken first, if that is better than leaving it. */
static num calm(Alpha *a, num ply, num left, num low, num high) {
    Level *l = &a->levels[ply];
    Context *x = a->t->x;
    num seat = l->seat = x->seat, stand = steady(a, &l->state, seat);
    a->judged++;
    if (!a->captures || !left || ply >= FARTHEST) return stand;
    num forced = a->captures == TAKEN_BY_FORCE, best = forced ? -ENDLESS : stand;
    if (best >= high) return best;
    low = greatest(low, best);
    run(x, &l->state);
    list_options(a, ply);
    num before = not_taken(a, &l->state, seat);
    for (num i = 0; i < l->count; i++) {
        State *s = &a->levels[ply + 1].state;
        l->scores[i] = -ENDLESS;
        if (!next_state(a, ply, i)) return 0;
        if (peek(x, s, a->t->limit) == STOP_OVER) best = greatest(best, final_value(a, s, seat, ply + 1));
        else if (taken(before, not_taken(a, s, seat))) l->scores[i] = steady(a, s, seat);
        else if (forced) return stand;
    }
    low = greatest(low, best);
    for (num i; best < high && (i = next_best(l)) >= 0;) {
        if (!next_state(a, ply, i)) return 0;
        peek(x, &a->levels[ply + 1].state, a->t->limit);
        num value = x->seat == seat ? calm(a, ply + 1, left - 1, low, high) : -calm(a, ply + 1, left - 1, -high, -low);
        if (a->out) return 0;
        best = greatest(best, value);
        low = greatest(low, best);
    }
    return best == -ENDLESS ? stand : best;
}

/* ---- what is known of positions: no entry is given up for another, and when there is no room, none is added ---- */

static Entry *entry_of(Alpha *a, u64 key) {
    u64 at = key & (u64)(a->entry_room - 1);
    while (a->entries[at].key && a->entries[at].key != key) at = (at + 1) & (u64)(a->entry_room - 1);
    return &a->entries[at];
}

static void remember(Alpha *a, u64 key, num ply, num depth, num value, num bound, num option) {
    Entry *e = entry_of(a, key);
    if (!e->key) {
        if (a->entry_count == ENTRIES) return;
        if (2 * ++a->entry_count > a->entry_room) {
            Entry *old = a->entries;
            num room = a->entry_room;
            a->entry_room = 2 * room;
            a->entries = calloc((size_t)a->entry_room, sizeof(Entry));
            for (num i = 0; i < room; i++)
                if (old[i].key) *entry_of(a, old[i].key) = old[i];
            free(old);
            e = entry_of(a, key);
        }
    }
    if (value > EDGE) value += ply;  /* how far off a win is, from here */
    if (value < -EDGE) value -= ply;
    *e = (Entry){key, (int32_t)value, (int32_t)option, (int16_t)depth, (int16_t)bound};
}

/* ---- looking ahead ---- */

static num look(Alpha *a, num ply, num depth, num low, num high);

/* What an option is worth to who decides at `ply`. */
static num behind(Alpha *a, num ply, num i, num depth, num low, num high) {
    Context *x = a->t->x;
    num seat = a->levels[ply].seat;
    Level *l = &a->levels[ply + 1];
    if (!next_state(a, ply, i)) return 0;
    num ahead = depth > 0 && ply + 1 < FARTHEST;
    num stop = ahead ? run(x, &l->state) : peek(x, &l->state, a->t->limit);
    if (stop == STOP_OVER) return final_value(a, &l->state, seat, ply + 1);
    if (!ahead)
        return x->seat == seat ? calm(a, ply + 1, EXCHANGE, low, high) : -calm(a, ply + 1, EXCHANGE, -high, -low);
    list_options(a, ply + 1);
    if (l->count == 1) depth++;  /* what must be done is no decision */
    return l->seat == seat ? look(a, ply + 1, depth, low, high) : -look(a, ply + 1, depth, -high, -low);
}

/* Which options to try first: what was best before, what refuted other ways here, what did so elsewhere; and, where
   much depends on it, what seems best at once. */
static void put_in_order(Alpha *a, num ply, num depth, num first) {
    Level *l = &a->levels[ply];
    for (num i = 0; i < l->count; i++) {
        u64 key = key_of(l->state.pc, l->seat, l->rows + i * STRIDE);
        const Habit *h = habit(a->t, key);
        num score = i == first ? FIRST_TRIED : key == l->killers[0] || key == l->killers[1] ? KILLER : 0;
        if (!score) score = least(h->worth, HABITUAL);
        if (depth >= 2 && i != first) {
            State *s = &a->levels[ply + 1].state;
            if (!next_state(a, ply, i)) return;
            if (peek(a->t->x, s, a->t->limit) == STOP_OVER) score = final_value(a, s, l->seat, ply + 1) * 16;
            else score = steady(a, s, l->seat) * 16 + least(score, 1 << 12);
        }
        l->scores[i] = score;
    }
}

static void note_refuted(Alpha *a, num ply, num depth, num i) {
    Level *l = &a->levels[ply];
    u64 key = key_of(l->state.pc, l->seat, l->rows + i * STRIDE);
    if (l->killers[0] != key) l->killers[1] = l->killers[0], l->killers[0] = key;
    note_habit(a->t, key, depth * depth);
}

/* What a decision is worth to who decides, if both do their best: right between `low` and `high`, else beyond them. */
static num look(Alpha *a, num ply, num depth, num low, num high) {
    Level *l = &a->levels[ply];
    u64 key = mark_of(&l->state) | 1;
    num known_before = a->judged, from = low, best = -ENDLESS, which = -1, first = -1;
    const Entry *e = entry_of(a, key);
    if (e->key) {
        num value = e->value > EDGE ? e->value - ply : e->value < -EDGE ? e->value + ply : e->value;
        first = e->option;
        if (e->depth >= depth &&
            (e->bound == EXACT || (e->bound == AT_LEAST && value >= high) || (e->bound == AT_MOST && value <= low))) {
            if (e->depth < SOLVED) a->judged++;
            return value;
        }
    }
    put_in_order(a, ply, depth, first);
    if (a->out) return 0;
    for (num k = 0, i; low < high && (i = next_best(l)) >= 0; k++) {
        num less = depth >= 3 && k >= LATE, value = 0;
        if (k) value = behind(a, ply, i, depth - 1 - less, low, low + 1);
        if (!a->out && (!k || (value > low && (less || value < high)))) value = behind(a, ply, i, depth - 1, low, high);
        if (a->out) return 0;
        if (value > best) best = value, which = i;
        if (best >= high) note_refuted(a, ply, depth, i);
        low = greatest(low, best);
    }
    num bound = best >= high ? AT_LEAST : best <= from ? AT_MOST : EXACT;
    remember(a, key, ply, a->judged == known_before ? SOLVED : depth, best, bound, which);
    return best;
}

/* ---- the root ---- */

/* One decision farther ahead: the best option of before first, then those that took most work. */
static void one_farther(Alpha *a) {
    Level *l = &a->levels[0];
    num low = -ENDLESS, judged = a->judged;
    a->tried = 0;
    for (num i = 0; i < l->count; i++) l->scores[i] = i == a->best ? ENDLESS : a->spent[i];
    for (num k = 0, i; (i = next_best(l)) >= 0; k++) {
        num seen = a->seen, value = 0, beat = absolute(low) > EDGE ? low : low - a->liked[i];
        if (k) value = behind(a, 0, i, a->depth - 1, beat, beat + 1);
        if (!a->out && (!k || value > beat)) value = behind(a, 0, i, a->depth - 1, beat, ENDLESS);
        a->spent[i] += a->seen - seen;
        if (a->out) return;
        a->values[i] = value;
        if (!k || value > beat) {
            a->best = i, a->value = value;
            low = absolute(value) > EDGE ? value : value + a->liked[i];
        }
        a->tried++;
    }
    a->done = a->value > EDGE || a->judged == judged || a->depth >= FARTHEST - 2;
    a->depth++;
}

/* A search from the root of a tree, whose judge it has; by chance options seem better by less than `slack`. */
Alpha *alpha_open(Tree *t, num captures, num slack) {
    Alpha *a = calloc(1, sizeof *a);
    a->t = t, a->captures = captures, a->depth = 1;
    a->entry_room = 1024;
    a->entries = calloc((size_t)a->entry_room, sizeof(Entry));
    Level *l = &a->levels[0];
    begin(&l->state, t->root->state);
    Context *x = t->x;
    x->searching = x->asking = x->trying = x->logged = x->playing = 0;
    run(x, &l->state);
    list_options(a, 0);
    a->values = calloc((size_t)l->count, sizeof(num));
    a->spent = calloc((size_t)l->count, sizeof(num));
    a->liked = calloc((size_t)l->count, sizeof(num));
    u64 stream = t->seed;
    for (num i = 0; i < l->count && slack > 1; i++) a->liked[i] = drawn(&stream, slack);
    return a;
}

/* Looks farther and farther ahead, until so many positions were looked at, or it is told to stop: how many were. */
num alpha_more(Alpha *a, num limit) {
    a->limit = limit, a->out = 0;
    if (setjmp(a->t->x->out)) {  /* a rule failed: what is known by then must do */
        a->t->faults++;
        a->done = 1;
        return least(a->seen, limit);
    }
    while (!a->done && !a->out) one_farther(a);
    a->seen = least(a->seen, limit);
    return a->seen;
}

void alpha_stop(Alpha *a) { a->stop = 1; }

/* By option: how many positions were looked at behind it, and what it is worth; which is best, and how far it looked. */
num alpha_found(Alpha *a, num *spent, num *values, num *depth) {
    for (num i = 0; i < a->levels[0].count; i++) spent[i] = a->spent[i], values[i] = a->values[i];
    *depth = a->depth - 1;
    return a->best;
}

/* The options that follow if both do their best, as far as that is known. */
num alpha_line(Alpha *a, num *options, num most) {
    num length = 0;
    options[length++] = a->best;
    a->limit = a->seen + FARTHEST, a->stop = 0;
    for (num ply = 0; length < most && ply + 1 < FARTHEST; ply++) {
        if (!next_state(a, ply, options[ply]) || run(a->t->x, &a->levels[ply + 1].state) != STOP_CHOICE) break;
        list_options(a, ply + 1);
        const Entry *e = entry_of(a, mark_of(&a->levels[ply + 1].state) | 1);
        if (!e->key || e->option < 0) break;
        options[length++] = e->option;
    }
    return length;
}

void alpha_close(Alpha *a) {
    for (num i = 0; i <= FARTHEST; i++) free(a->levels[i].rows), free(a->levels[i].scores);
    free(a->entries);
    free(a->values);
    free(a->spent);
    free(a->liked);
    free(a);
}
