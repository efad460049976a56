/* ---- plays for practice: what stands in a position, and what it came to ---- */

/* What the judge looks at in a position: a cell for each piece, the numbers, whose turn it is, and points. */
static void seen_by_judge(Tree *t, State *s, int32_t *row) {
    num points[PLAYERS * (ROWS ? ROWS : 1)];
    for (num p = 0; p < PIECES; p++) *row++ = (int32_t)cell_of(&t->judge, s, p);
    for (num i = 0; i < t->judge.numbers; i++) *row++ = (int32_t)field_at(s, t->judge.number[4 * i], t->judge.number[4 * i + 1]);
    *row++ = s->turn_player;
    if (ROWS) scores(t->x, s, points);
    t->x->top = 0;
    for (num i = 0; i < PLAYERS; i++) {
        num total = 0;
        for (num k = 0; k < ROWS; k++) total += points[i * ROWS + k];
        *row++ = (int32_t)total;
    }
    if (SAID_GOOD) {
        num said[PLAYERS];
        ask_what_is_good(t, s, said);
        for (num i = 0; i < PLAYERS; i++) *row++ = (int32_t)(said[i] - SAID_OFFSET);
    }
}

/* The best of a few options of a decision, as the judge sees what comes of them. */
static void practised(Tree *t, u64 *stream, num tries, int32_t *found) {
    Context *x = t->x;
    num count = x->count, seat = x->seat, best = -1;
    if (tries > count) tries = count;
    int32_t *rows = malloc(sizeof(int32_t) * (size_t)(STRIDE * tries));
    for (num i = 0; i < tries; i++) {
        num which = tries == count ? i : drawn(stream, count);
        memcpy(rows + i * STRIDE, x->rows + which * STRIDE, sizeof(int32_t) * STRIDE);
    }
    memcpy(found, rows, sizeof(int32_t) * STRIDE);
    for (num i = 0; tries > 1 && i < tries; i++) {
        begin(&t->state, &t->guess);
        take(x, &t->state, rows + i * STRIDE, 0);
        num stop = run(x, &t->state);
        if (stop == STOP_OVER) come_to(t, &t->state, stop);
        else judge(t, &t->state);
        num worth = t->result[seat] * 16 + drawn(stream, 16);
        if (worth > best) best = worth, memcpy(found, rows + i * STRIDE, sizeof(int32_t) * STRIDE);
    }
    free(rows);
}

/* A play for practice: positions of it, `width` numbers each, and what it came to; how many. */
num tree_practice(Tree *t, u64 seed, num tries, num every, num limit, int32_t *rows, num most, num width, num *results) {
    Context *x = t->x;
    State *s = &t->guess;
    u64 stream = seeded(seed, 102);
    volatile num found = 0;
    num cut = t->judge.cut, stop = 0;
    if (setjmp(x->out)) {
        t->judge.cut = cut;
        return 0;
    }
    x->searching = x->asking = x->trying = x->logged = x->playing = 0;
    start(s, seed);
    x->bot = seeded(seed, 100);
    for (num number = 0; number < limit; number++) {
        x->limit = limit, x->decisions = 0;
        stop = run(x, s);
        if (stop == STOP_TOGETHER) {
            stop = together(x, s, 0);
            x->playing = 0;
            if (stop == BROKEN_OFF) break;
            continue;
        }
        if (stop != STOP_CHOICE) break;
        int32_t row[STRIDE];
        num freely = number < 6 || !drawn(&stream, 8);
        practised(t, &stream, freely ? 1 : tries, row);
        if (number >= 4 && drawn(&stream, every) == 0 && found < most) seen_by_judge(t, s, rows + width * found++);
        take(x, s, row, 0);
    }
    if (stop != STOP_OVER) return 0;
    begin(&t->state, s);
    come_to(t, &t->state, stop);
    for (num i = 0; i < PLAYERS; i++) results[i] = t->result[i];
    return found;
}

/* ---- learning a manner: of plays that begin alike, options of those that came to more are taken more often ---- */

enum { ALIKE = 8 };
#define CURIOUS 0.03  /* how much what is likely is made less so, for all else to be tried */
#define FAR 30  /* so many times the usual: whoever fares better by more counts no more */

/* What was decided in some plays: by decision who decided and what was taken, and the traits of all options. */
struct Lesson {
    num *cells;               /* by decision: seat, taken, how many options; by option: how many traits, the traits */
    num used, room, count;
    State *begun;             /* room for where the others of the group begin, if they begin in the midst of this play */
    num begins, used_before, count_before;  /* whether it was found; what was noted and decided before */
    num said[PLAYERS];        /* what the rules say is good at its end */
    u64 stream;
};

static void noted(Lesson *l, num what) {
    if (l->used == l->room) {
        l->room = l->room ? 2 * l->room : 4096;
        l->cells = realloc(l->cells, sizeof(num) * (size_t)l->room);
    }
    l->cells[l->used++] = what;
}

/* Takes one of the options by chance, as they weigh, and notes that. */
static num practised_so(Tree *t, const State *s, num seat, u64 *stream) {
    Context *x = t->x;
    Lesson *l = t->lesson;
    const double *weights = t->practising;
    double weigh[LONGEST_MENU], best = 0, total = 0;
    uint32_t traits[MOST_TRAITS_OF_ONE];
    Amounts a;
    num count = x->count;
    if (count == 1) return 0;
    if (count > LONGEST_MENU) return drawn(stream, count);
    if (l->begun && !t->behind && drawn(&l->stream, l->count + 1) == 0)  /* each decision as likely as any other */
        begin(l->begun, s), l->begins = 1, l->used_before = l->used, l->count_before = l->count;
    amounts_of(&t->manner, s, seat, &a);
    noted(l, seat), noted(l, 0), noted(l, count);
    num at = l->used - 2;
    for (num i = 0; i < count; i++) {
        num n = traits_of(&t->manner, s, x->rows + i * STRIDE, &a, traits);
        weigh[i] = 0;
        noted(l, n);
        for (num k = 0; k < n; k++) noted(l, traits[k]), weigh[i] += weights[traits[k]];
        if (!i || weigh[i] > best) best = weigh[i];
    }
    for (num i = 0; i < count; i++) total += weigh[i] = __builtin_exp(weigh[i] - best);
    double left = (double)drawn(stream, 1 << 30) / (1 << 30) * total;
    num i = 0;
    while (i < count - 1 && left >= weigh[i]) left -= weigh[i++];
    l->cells[at] = i;
    l->count++;
    return i;
}

/* Plays from the start, or from a state, to the end, and notes all decisions; whether it came to an end. */
static num practised_to_the_end(Tree *t, const State *from, u64 seed, u64 own, num limit, Lesson *l) {
    Context *x = t->x;
    State *s = &t->state;
    l->used = l->count = l->begins = l->used_before = l->count_before = 0;
    l->stream = own;
    if (setjmp(x->out)) {
        x->tree = 0, x->playing = 0;
        return 0;
    }
    x->searching = x->asking = x->trying = x->logged = x->playing = 0;
    if (from) begin(s, from);  /* chance comes out alike, as far as it is asked alike */
    else start(s, seed);
    x->bot = seeded(own, 100);
    x->limit = limit, x->decisions = 0;
    t->lesson = l;
    num stop = acted_out(t, s);
    if (stop != STOP_OVER) return 0;
    come_to(t, s, stop);
    if (SAID_GOOD) ask_what_is_good(t, s, l->said);
    return 1;
}

/* What was taken is made more likely as far as it came to more than others, and what else was offered less. */
static void learnt_from(const Lesson *l, const double *ahead, double step, double *weights) {
    double chance[LONGEST_MENU];
    for (num at = l->used_before, number = l->count_before; number < l->count; number++) {
        num seat = l->cells[at], taken = l->cells[at + 1], count = l->cells[at + 2], first = at + 3;
        double best = 0, total = 0, even = 0;
        at = first;
        for (num i = 0; i < count; i++) {
            num n = l->cells[at++];
            chance[i] = 0;
            for (num k = 0; k < n; k++) chance[i] += weights[l->cells[at++]];
            if (!i || chance[i] > best) best = chance[i];
        }
        for (num i = 0; i < count; i++) total += chance[i] = __builtin_exp(chance[i] - best);
        for (num i = 0; i < count; i++) {
            chance[i] /= total;
            even -= chance[i] * __builtin_log(chance[i] + 1e-9);
        }
        at = first;
        for (num i = 0; i < count; i++) {
            num n = l->cells[at++];
            double change = ahead[seat] * ((i == taken) - chance[i]);
            change -= CURIOUS * chance[i] * (__builtin_log(chance[i] + 1e-9) + even);
            change *= step / __builtin_sqrt((double)n);
            for (num k = 0; k < n; k++) weights[l->cells[at++]] += change;
        }
    }
}

/* So many groups of plays that begin alike; what they came to on average for all players, in parts of WHOLE. Where all fare
   alike it is what the rules say is good, if they do, in parts of a thousand. `spread` is how far results lay apart so far,
   and in how many groups. */
num tree_learn(Tree *t, u64 seed, num groups, num limit, double step, double *weights, double *spread) {
    Lesson lessons[ALIKE] = {{0}};
    double total = 0, plays = 0;
    State *begun = malloc(sizeof(State));
    const num said_together = SAID_GOOD && t->judge.said == SAID_TOGETHER;
    t->practising = weights;
    for (num group = 0; group < groups; group++) {
        double came[ALIKE][PLAYERS], mean[PLAYERS] = {0}, ahead[PLAYERS], off = 0;
        num over[ALIKE], ended = 0;
        for (num k = 0; k < ALIKE; k++) {
            u64 own = seeded(seed, group);
            const State *from = k && lessons[0].begins ? begun : 0;
            lessons[k].begun = group & 1 && !k && step > 0 ? begun : 0;  /* every other group */
            over[k] = practised_to_the_end(t, from, own >> 16, own + (u64)k, limit, &lessons[k]);
            ended += over[k];
            for (num i = 0; over[k] && i < PLAYERS; i++)
                mean[i] += came[k][i] = said_together ? (double)(lessons[k].said[i] - SAID_OFFSET) : (double)t->result[i] / WHOLE;
        }
        if (ended < 2) continue;
        for (num i = 0; i < PLAYERS; i++) total += mean[i], plays += (double)ended, mean[i] /= (double)ended;
        double usual = *spread > 0 ? *spread : 1;
        for (num k = 0; k < ALIKE; k++) {
            if (!over[k]) continue;
            for (num i = 0; i < PLAYERS; i++) {
                ahead[i] = (came[k][i] - mean[i]) / usual;
                ahead[i] = ahead[i] > FAR ? FAR : ahead[i] < -FAR ? -FAR : ahead[i];
                off += (came[k][i] - mean[i]) * (came[k][i] - mean[i]) / (double)(ended * PLAYERS);
            }
            learnt_from(&lessons[k], ahead, step, weights);
        }
        spread[1] += 1;
        double share = 1.0 / (spread[1] < 100 ? spread[1] : 100);
        *spread = __builtin_sqrt(*spread * *spread * (1 - share) + off * share);
    }
    for (num k = 0; k < ALIKE; k++) free(lessons[k].cells);
    free(begun);
    t->lesson = 0;
    return plays > 0 ? (num)(total / plays * (said_together ? 1000 : WHOLE)) : 0;
}
