/* ---- mixing: how often to take each option, where whoever always does the same is found out ----

   `bots/mixed.py` does the same in Python. Whole plays are gone through again and again. In each, one player looks into
   all that it may take, and regrets of each option what it would have brought more than what it takes now; an option is
   taken as often as it is regretted. The others take one by chance, and what they take on average is the answer
   (counterfactual regret minimization with external sampling). Decisions are found by what their player sees. */

enum { MIX_DEEPEST = 48, MIX_WIDEST = 64, MIX_ROOM = 256, MIX_SECRET = 8 };

/* Where what is seen lies in the words of a state. */
typedef struct {
    const int32_t *first;    /* by seat: where its words begin; behind the last the end */
    const int32_t *words;    /* a word, and whether it names a piece */
    const int32_t *pieces;   /* for what is noted of each piece: its first word, and how many words it has */
    num at, noted, size;     /* where pieces lie, how many notes each has; words of a state */
    num stakes;              /* twice as far as plays at random showed one ahead, where points are stakes; else 0.
                                Others may get farther still: what is more counts as so much */
    num anew;                /* whether plays begin from the start, or from the guess */
    num most;                /* of what is noted of an option; behind that all of its decision is halved */
} Sight;

/* A decision: by option what is regretted, how often it was taken, and what came of it. */
struct Mixed { u64 mark; num looks; int32_t count; num *regret, *taken, *worth; };

struct Mix {
    Sight sight;
    Mixed **nodes;
    num count, room, rounds, seat;
    u64 *words, own;         /* a state in words; the stream of whoever looks into all */
    int32_t *forced;         /* what it takes in secret */
    num forced_count, forced_now, freely, noting, asking;
    Mixed *asked;            /* where it is asked behind that */
    State *copies[MIX_DEEPEST];  /* by decision of a play: the state behind the option that is looked into */
};

static State *copy_at(Mix *m, num deep, const State *s) {
    if (!m->copies[deep]) m->copies[deep] = malloc(sizeof(State));
    begin(m->copies[deep], s);
    return m->copies[deep];
}

/* What a seat sees where it decides, as one number. */
static u64 mark_seen(Tree *t, const State *s, num seat, num count) {
    const Sight *g = &t->mix->sight;
    u64 *words = t->mix->words, mark = mixed((u64)s->pc * 64 + (u64)seat) ^ mixed((u64)count + GOLDEN), lying = 0;
    game_export(s, words);
    u64 known[PIECES ? PIECES : 1];
    for (num p = 0; p < PIECES; p++) {
        known[p] = (u64)(known_to(t->x, (State *)s, p, seat) ? row_of_piece(p) : -2 - (num)words[g->at + p]);
        u64 one = mixed(known[p] + GOLDEN) ^ words[g->at + p];
        if ((num)known[p] >= 0)
            for (num i = 0; i < g->noted; i++)
                for (num w = 0; w < g->pieces[2 * i + 1]; w++)
                    one = mixed(one + GOLDEN) ^ words[g->pieces[2 * i] + p * g->pieces[2 * i + 1] + w];
        lying += mixed(one + GOLDEN);
    }
    for (num i = g->first[seat]; i < g->first[seat + 1]; i++) {
        u64 value = words[g->words[2 * i]];
        if (g->words[2 * i + 1] && (num)value >= 0) value = known[value];
        mark = mixed(mark + GOLDEN) ^ value;
    }
    return mixed(mark + GOLDEN) ^ lying;
}

static Mixed *mixed_at(Tree *t, const State *s, num seat, num count) {
    struct Mix *m = t->mix;
    u64 mark = mark_seen(t, s, seat, count), at = mark & (u64)(m->room - 1);
    while (m->nodes[at] && m->nodes[at]->mark != mark) at = (at + 1) & (u64)(m->room - 1);
    if (m->nodes[at] || t->full || m->asking) return m->nodes[at];
    Mixed *n = m->nodes[at] = kept_room(t, sizeof *n);
    num *cells = kept_room(t, 3 * count * (num)sizeof(num));
    memset(cells, 0, sizeof(num) * (size_t)(3 * count));
    *n = (Mixed){mark, 0, (int32_t)count, cells, cells + count, cells + 2 * count};
    if (2 * ++m->count >= m->room) {
        Mixed **old = m->nodes;
        num room = m->room;
        m->room = 2 * room;
        m->nodes = calloc((size_t)m->room, sizeof(Mixed *));
        for (num i = 0; i < room; i++)
            if (old[i]) {
                u64 to = old[i]->mark & (u64)(m->room - 1);
                while (m->nodes[to]) to = (to + 1) & (u64)(m->room - 1);
                m->nodes[to] = old[i];
            }
        free(old);
    }
    return n;
}

/* How often each option is taken now; all together. */
static num often(const Mixed *n, num *parts) {
    num all = 0, total = 0;
    for (num i = 0; i < n->count; i++) all += n->regret[i];
    for (num i = 0; i < n->count; i++) {
        parts[i] = all ? n->regret[i] * WHOLE / all : WHOLE / n->count;
        total += parts[i];
    }
    return total;
}

/* Takes an option by chance, as often as it is due; of who does not look into all, that is noted. */
static num taken_by_chance(Tree *t, Mixed *n, u64 *stream, num noting) {
    num parts[MIX_WIDEST], total = often(n, parts), left = drawn(stream, total), which = 0, most = 0;
    for (num i = 0; noting && i < n->count; i++)
        most = greatest(most, n->taken[i] += parts[i] * t->mix->rounds);
    for (num i = 0; most > t->mix->sight.most && i < n->count; i++) n->taken[i] /= 2;
    while (left >= parts[which]) left -= parts[which++];
    return which;
}

/* What whoever looked into all options takes of them, as often as now: its worth. What was better is regretted. */
static num regretted(Mixed *n, const num *worth) {
    num parts[MIX_WIDEST], total = often(n, parts), mean = 0;
    for (num i = 0; i < n->count; i++) mean += parts[i] * worth[i];
    mean /= total;
    n->looks++;
    for (num i = 0; i < n->count; i++) {
        n->regret[i] = greatest(n->regret[i] + worth[i] - mean, 0);
        n->worth[i] += worth[i];
    }
    return mean;
}

/* Decides in secret. */
static num mixed_in_secret(Tree *t, const State *s, num seat) {
    struct Mix *m = t->mix;
    Context *x = t->x;
    num count = x->count;
    x->decisions++, x->steps = 0;
    if (m->asking && seat == m->seat && m->forced_now < t->taken_count) {
        const int32_t *row = t->taken + m->forced_now++ * STRIDE;
        for (num i = 0; i < count; i++)
            if (!memcmp(x->rows + i * STRIDE, row, sizeof(int32_t) * STRIDE)) return i;
        fault(x, FAULT_MENU, 0);
    }
    if (count == 1) return 0;
    if (seat == m->seat && m->forced_now < m->forced_count) return m->forced[m->forced_now++];
    if (seat == m->seat && m->asked) return 0;
    Mixed *n = count <= MIX_WIDEST ? mixed_at(t, s, seat, count) : 0;
    if (seat != m->seat) return n ? taken_by_chance(t, n, &t->picks, m->noting) : drawn(&t->picks, count);
    if (!n) return drawn(&m->own, count);
    if (m->freely || m->forced_count == MIX_SECRET) return taken_by_chance(t, n, &m->own, 0);
    m->asked = n;
    return 0;
}

static num what_it_came_to(Tree *t, State *s, num stop) {
    num points[PLAYERS * (ROWS ? ROWS : 1)], stakes = t->mix->sight.stakes, seat = t->mix->seat;
    if (!stakes || stop != STOP_OVER || s->ended == ENDED_VOID) return t->result[seat];
    scores(t->x, s, points);
    t->x->top = 0;
    num own = 0, all = 0;
    for (num i = 0; i < PLAYERS * ROWS; i++) {
        all += points[i];
        if (i / ROWS == seat) own += points[i];
    }
    num ahead = (PLAYERS * own - all) * (LOWEST ? -1 : 1);
    return greatest(0, least(WHOLE, WHOLE / 2 + ahead * (WHOLE / 2) / stakes));
}

/* Goes on where players decide at once: what the others take is the same for all that the one may take. */
static num looked_into_secret(Tree *t, const State *s, const int32_t *before, num length, num room, num deep) {
    struct Mix *m = t->mix;
    int32_t forced[MIX_SECRET];
    num worth[MIX_WIDEST];
    u64 picks = t->picks;
    for (num i = 0; i < length; i++) forced[i] = before[i];
    m->freely = 0;
    for (num time = 0; time < 2; time++) {
        State *copy = copy_at(m, deep, s);
        t->picks = picks;
        m->forced = forced, m->forced_count = length, m->forced_now = 0, m->asked = 0, m->noting = !length && !time;
        t->x->tree = t, t->x->decisions = 0;
        num broken = together(t->x, copy, 0) == BROKEN_OFF;
        t->x->tree = 0, t->x->playing = 0, m->freely = 0;
        if (broken) {
            come_to(t, copy, BROKEN_OFF);
            return what_it_came_to(t, copy, BROKEN_OFF);
        }
        if (!m->asked) return looked_into(t, copy, room, deep + 1);
        if (m->asked->count <= room) break;
        m->freely = 1;
    }
    Mixed *n = m->asked;
    for (num i = 0; i < n->count; i++) {
        forced[length] = (int32_t)i;
        t->picks = picks;
        worth[i] = looked_into_secret(t, s, forced, length + 1, room / n->count, deep);
    }
    return regretted(n, worth);
}

/* What a play comes to for the one who looks into all; of `room` plays at most it looks into each. */
static num looked_into(Tree *t, State *s, num room, num deep) {
    Context *x = t->x;
    for (;; deep++) {
        num stop = run(x, s);
        if (stop == STOP_TOGETHER && deep < MIX_DEEPEST) return looked_into_secret(t, s, 0, 0, room, deep);
        if (stop != STOP_CHOICE && stop != STOP_TOGETHER) {
            come_to(t, s, stop);
            return what_it_came_to(t, s, stop);
        }
        num count = x->count, seat = x->seat, which = 0;
        Mixed *n = count > 1 && count <= MIX_WIDEST && deep < MIX_DEEPEST ? mixed_at(t, s, seat, count) : 0;
        if (!n && (count > 1 || deep >= MIX_DEEPEST)) {
            begin(&t->state, s);
            stop = roll_out(t);
            return what_it_came_to(t, &t->state, stop);
        }
        x->steps = x->decisions = 0;
        if (n && seat == t->mix->seat && count <= room) {
            num worth[MIX_WIDEST];
            int32_t rows[MIX_WIDEST * STRIDE];
            memcpy(rows, x->rows, sizeof(int32_t) * (size_t)(count * STRIDE));
            for (num i = 0; i < count; i++) {
                State *copy = copy_at(t->mix, deep, s);
                take(x, copy, rows + i * STRIDE, 0);
                worth[i] = looked_into(t, copy, room / count, deep + 1);
            }
            return regretted(n, worth);
        }
        if (n) which = taken_by_chance(t, n, seat == t->mix->seat ? &t->mix->own : &t->picks, seat != t->mix->seat);
        int32_t row[STRIDE];
        memcpy(row, x->rows + which * STRIDE, sizeof row);
        take(x, s, row, 0);
    }
}

/* ---- from outside ---- */

void tree_mix(Tree *t, const Sight *sight) {
    struct Mix *m = t->mix = calloc(1, sizeof *m);
    m->sight = *sight;
    m->room = 1024;
    m->nodes = calloc((size_t)m->room, sizeof(Mixed *));
    m->words = malloc(sizeof(u64) * (size_t)sight->size);
}

static void close_mix(Tree *t) {
    if (!t->mix) return;
    free(t->mix->nodes);
    free(t->mix->words);
    for (num i = 0; i < MIX_DEEPEST; i++) free(t->mix->copies[i]);
    free(t->mix);
}

/* So many more plays, as they are dealt, each player looking into all in turn: how many there were in all. */
num tree_mix_more(Tree *t, num plays) {
    Context *x = t->x;
    struct Mix *m = t->mix;
    num goal = t->plays + plays;
    while (t->plays < goal) {
        State s;
        u64 seed = seeded(t->seed, m->rounds);
        x->bot = seeded(seed, 100), t->picks = seeded(seed, 101), m->own = seeded(seed, 103);
        x->searching = x->asking = x->trying = x->logged = x->playing = 0;
        m->seat = m->rounds++ % PLAYERS;
        t->plays++;
        if (setjmp(x->out)) {  /* a rule failed: nothing is learnt of it */
            x->playing = 0, x->tree = 0, m->freely = 0;
            t->faults++;
            continue;
        }
        if (m->sight.anew) start(&s, seed);
        else {
            begin(&s, &t->guess);
            streams_apart(&s, seed);
        }
        looked_into(t, &s, MIX_ROOM, 0);
    }
    return t->plays;
}

/* Where the question stands, if a play came to it. */
static Mixed *mixed_question(Tree *t, State *s) {
    Context *x = t->x;
    struct Mix *m = t->mix;
    num stop = run(x, s);
    if (stop == STOP_CHOICE) {
        num same = x->count == t->asked_count && x->count > 1 && x->count <= MIX_WIDEST;
        same = same && !memcmp(x->rows, t->asked, sizeof(int32_t) * (size_t)(x->count * STRIDE));
        return same ? mixed_at(t, s, x->seat, x->count) : 0;
    }
    if (stop != STOP_TOGETHER) return 0;
    m->forced_count = m->forced_now = m->noting = 0, m->asked = 0;
    x->tree = t, x->decisions = 0;
    together(x, s, 0);
    x->tree = 0, x->playing = 0;
    return m->asked && m->asked->count == t->asked_count ? m->asked : 0;
}

/* How often each option of the question was taken, and what came of it: how often all of them were looked into. */
num tree_mixed(Tree *t, num *taken, num *worth) {
    Context *x = t->x;
    State s;
    Mixed *volatile n = 0;
    begin(&s, &t->guess);
    t->mix->seat = t->me, t->mix->asking = 1;
    if (!setjmp(x->out)) n = mixed_question(t, &s);
    t->mix->asking = x->playing = 0, x->tree = 0;
    if (!n || !n->looks) return 0;
    memcpy(taken, n->taken, sizeof(num) * (size_t)n->count);
    for (num i = 0; i < n->count; i++) worth[i] = n->worth[i] / n->looks;
    return n->looks;
}
