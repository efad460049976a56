/* ---- what a play comes to ---- */

/* Points ahead of the best of the others, as a share of all: between -WHOLE and WHOLE. */
static num lead(const num *points, num seat) {
    num own = 0, best = 0, other = 0;
    for (num player = 0; player < PLAYERS; player++) {
        num total = 0;
        for (num i = 0; i < ROWS; i++) total += points[player * ROWS + i];
        if (LOWEST) total = -total;
        if (player == seat) own = total;
        else if (!other || total > best) best = total, other = 1;
    }
    num all = absolute(own) + absolute(best) + 8;
    return (own - best) * WHOLE / all;
}

/* Which weight holds for a piece where it lies: its number, or -1. */
static num cell_of(const Judge *j, const State *s, num piece) {
    num spot = lies_at(s, piece), group = j->group[spot];
    if (group < 0 || j->sort[piece] < 0) return -1;
    num whose = j->holder[spot], combined = j->sort[piece];
    if (whose < 0) whose = j->side >= 0 ? field_at(s, j->side, piece) : j->owner[piece];
    if (whose < 0 || whose >= PLAYERS) return -1;
    for (num i = 0; i < j->traits; i++) {
        num size = j->trait[3 * i + 1], value = field_at(s, j->trait[3 * i], piece) - j->trait[3 * i + 2];
        combined = combined * size + (value < 0 ? 0 : value < size ? value : size - 1);
    }
    return (combined * j->groups + group) * PLAYERS + whose;
}

/* What the rules say is good for each player, kept within bounds and above zero. */
static void ask_what_is_good(Tree *t, State *s, num *said) {
    num plain[PLAYERS];
    for (num i = 0; i < PLAYERS; i++) plain[i] = 0;
    said_good(t->x, s, plain);
    t->x->top = 0;
    for (num i = 0; i < PLAYERS; i++) said[i] = least(greatest(plain[i], -SAID_OFFSET), SAID_OFFSET) + SAID_OFFSET;
}

/* Notes what was said, and gives by how much such numbers mostly differ, as `count` times that. */
static num usual_spread(Tree *t, num level, num spread) {
    if (t->said_seen == SAID_SEEN) t->said_seen /= 2, t->said_sum /= 2, t->said_spread /= 2;
    t->said_seen++;
    t->said_sum += level;
    if (spread < 0) spread = absolute(level - t->said_sum / t->said_seen);
    t->said_spread += spread;
    return greatest(t->said_spread, 1);
}

/* Who plays alone compares with where the search began: what was certain early stays as it was told then. */
static void note_beginning(Tree *t, State *s) {
    num said[PLAYERS];
    if (PLAYERS > 1 || t->judge.said != SAID_TOGETHER || t->begun) return;
    t->said_first = SAID_OFFSET, t->begun = 1;
    if (setjmp(t->x->out)) return;  /* a rule failed */
    ask_what_is_good(t, s, said);
    t->said_first = said[0];
}

/* All fare alike: better than this position mostly is, or worse. */
static void judge_together(Tree *t, State *s) {
    num said[PLAYERS], spread, ahead;
    ask_what_is_good(t, s, said);
    if (PLAYERS == 1) {
        ahead = said[0] - t->said_first;
        spread = usual_spread(t, said[0], absolute(ahead));
    } else {
        spread = usual_spread(t, said[0], -1);
        ahead = said[0] - t->said_sum / t->said_seen;
    }
    num far = t->judge.powers[least(absolute(ahead) * UNIT * t->said_seen / spread, POWERS - 1)];
    num worth = WHOLE * (ahead >= 0 ? t->judge.powers[0] : far) / (t->judge.powers[0] + far);
    for (num i = 0; i < PLAYERS; i++) t->result[i] = worth / PLAYERS;
}

/* Nothing but what the rules say is good tells how each player stands. */
static void stand_apart(Tree *t, State *s, num *stands) {
    num said[PLAYERS];
    ask_what_is_good(t, s, said);
    num low = said[0], high = said[0];
    for (num i = 1; i < PLAYERS; i++) low = least(low, said[i]), high = greatest(high, said[i]);
    num spread = usual_spread(t, 0, high - low);
    for (num i = 0; i < PLAYERS; i++) stands[i] = (said[i] - low) * UNIT * t->said_seen / spread;
}

/* How each player stands, in parts of a logarithm of the odds. */
static void stands_at(Tree *t, State *s, num *stands) {
    const Judge *j = &t->judge;
    num points[PLAYERS * (ROWS ? ROWS : 1)];
    if (j->said == SAID_WEIGHED) {
        num said[PLAYERS];
        ask_what_is_good(t, s, said);
        for (num i = 0; i < PLAYERS; i++) stands[i] += (j->per_said * (said[i] - SAID_OFFSET)) >> SHARP;
    }
    for (num p = 0; p < j->pieces; p++) {
        num cell = cell_of(j, s, p);
        if (cell >= 0) stands[cell % PLAYERS] += j->cells[cell];
    }
    for (num i = 0; i < j->numbers; i++) {
        const int32_t *one = j->number + 4 * i;
        stands[one[2]] += j->columns[one[3]] * field_at(s, one[0], one[1]);
    }
    if (s->turn_player >= 0 && s->turn_player < PLAYERS) stands[s->turn_player] += j->tempo[s->turn_player];
    if (ROWS && j->per_point) {
        scores(t->x, s, points);
        t->x->top = 0;
        for (num i = 0; i < PLAYERS * ROWS; i++) stands[i / ROWS] += j->per_point * points[i];
    }
}

/* What a position that is not over seems to be worth to each player. */
static void judge(Tree *t, State *s) {
    const Judge *j = &t->judge;
    num stands[PLAYERS] = {0}, best = 0, total = 0, power[PLAYERS];
    if (j->said == SAID_TOGETHER) {
        judge_together(t, s);
        return;
    }
    if (j->said == SAID_APART) stand_apart(t, s, stands);
    else stands_at(t, s, stands);
    for (num i = 0; i < PLAYERS; i++)
        if (!i || stands[i] > best) best = stands[i];
    for (num i = 0; i < PLAYERS; i++) total += power[i] = j->powers[least(best - stands[i], POWERS - 1)];
    for (num i = 0; i < PLAYERS; i++) t->result[i] = power[i] * WHOLE / total;
}

/* What the points of whoever plays alone are worth: each as much as any other. */
static num alone(const num *points) {
    num total = 0;
    for (num i = 0; i < ROWS; i++) total += points[i];
    if (LOWEST) total = -total;
    return greatest(0, least(WHOLE, WHOLE / 2 + total * A_POINT));
}

/* What lasted longer was nearer to a win, where all have lost. */
static num lasted(const State *s) { return WHOLE / 8 * s->turn_number / (s->turn_number + 16); }

/* A win is worth all, shared by those who win together; a draw is shared by all. Points tell better wins from worse. */
static void come_to(Tree *t, State *s, num stop) {
    num points[PLAYERS * (ROWS ? ROWS : 1)];
    for (num i = 0; i < PLAYERS; i++) t->result[i] = WHOLE / PLAYERS;
    if (stop == BROKEN_OFF && t->judge.cut >= 0) judge(t, s);
    if (stop == STOP_OVER) {
        if (ROWS) scores(t->x, s, points);
        u64 won = winners(t->x, s, points);
        t->x->top = 0;
        num together = __builtin_popcountll(won);
        if (together || s->ended == ENDED_WON)
            for (num i = 0; i < PLAYERS; i++)
                t->result[i] = won >> i & 1 ? WHOLE / together : together ? 0 : lasted(s);
        if (ROWS && PLAYERS == 1 && t->judge.said == SAID_TOGETHER)
            judge_together(t, s);  /* by the same measure as what was broken off */
        else if (ROWS && PLAYERS == 1)
            t->result[0] = alone(points);
        else if (ROWS && s->ended == ENDED_SCORED)
            for (num i = 0; i < PLAYERS; i++)
                t->result[i] = (t->result[i] * (8 - POINTS_COUNT) + (WHOLE + lead(points, i)) / 2 * POINTS_COUNT) / 8;
    }
}

static void note_range(Tree *t) {
    for (num i = 0; i < PLAYERS; i++) {
        if (!t->first_seen || t->result[i] < t->low) t->low = t->result[i];
        if (!t->first_seen || t->result[i] > t->high) t->high = t->result[i];
        t->first_seen = 1;
    }
}

static num practised_so(Tree *t, const State *s, num seat, u64 *stream);  /* see learning.c */

/* Which option is taken behind the tree. */
static num by_manner(Tree *t, const State *s, num seat) {
    if (t->lesson) return practised_so(t, s, seat, &t->x->bot);
    return taken_so(t->x, &t->manner, s, seat, &t->x->bot);
}

/* A play to its end in which all decide in the manner that was learnt. */
static num acted_out(Tree *t, State *s) {
    Context *x = t->x;
    x->playing = 0;
    for (;;) {
        num stop = run(x, s);
        if (stop == STOP_TOGETHER) {
            x->tree = t, t->behind = 1;
            stop = together(x, s, 0);
            x->tree = 0, t->behind = 0, x->playing = 0;
            if (stop == BROKEN_OFF) return stop;
        } else if (stop == STOP_CHOICE) {
            if (x->decisions++ >= x->limit) return BROKEN_OFF;
            x->steps = 0;
            const int32_t *row = x->rows + STRIDE * by_manner(t, s, x->seat);
            note_option(x, key_of(s->pc, x->seat, row), x->seat);
            take(x, s, row, 0);
        } else
            return stop;
    }
}

/* From here on any option is taken. */
static num roll_out(Tree *t) {
    Context *x = t->x;
    x->decisions = x->options = x->widest = x->forced = 0;
    x->playing = 1;
    x->limit = t->judge.cut >= 0 ? t->judge.cut : t->limit;
    x->noted = t->noted, x->noting = MOST_NOTED;
    num stop = t->mannered ? acted_out(t, &t->state) : played(x, &t->state);
    x->limit = t->limit;
    x->playing = x->noting = 0;
    come_to(t, &t->state, stop);
    return stop;
}
