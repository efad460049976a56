/* ---- search: which option is best, told from many plays on from here; `ruledsl.bots.tree` does the same in Python ----

   A tree of decisions grows with the plays. On the way down each player takes what has done best for itself so far,
   or what was tried little (UCB1, in whole numbers); behind the tree options are taken at random. What a play comes
   to is one number for each player, from 0 to WHOLE. */

enum { MOST_TRAITS = 4,  /* see bots/judge.py */
       SHARP = 16, WHOLE = 1 << SHARP, TABLED = 4096, A_POINT = 32, DEEPEST = 400, MOST_TOLD = 64, LOOKED_INTO = 10, CHUNK = 1 << 20, FIRST = 4, WORDY = 512 };  /* WORDY: of longer menus only keys are kept */

/* What has been seen of an option: how often it was tried, what came of it for whoever decides. */
struct Edge {
    num worth, mean;
    int32_t visits, offered;  /* `offered` counts in games in which not everything is offered each time */
    int16_t varies, known;    /* whether chance comes in behind it; whether it is a slot of a known result */
    int32_t option;
    const int32_t *sure;      /* the result, if it is certain */
    struct Node *child;       /* the first of those to which it may lead */
    u64 key;
};

struct Node {
    num visits, worth;        /* of all plays through it, and what came of them for whoever decides */
    int32_t count, tried, room, seat;
    Edge *edges;              /* of options in the order in which they are tried */
    int32_t *order;           /* options by this order */
    u64 *keys;                /* by option, what it is called elsewhere */
    int32_t *shares;          /* by option, what part of the attention it is due in the manner that was learnt, if one was */
    const int32_t *rows;      /* all options, unless they are too many */
    struct State *state;
    const int32_t *sure;
    struct Node *other;       /* another outcome of the same option */
    u64 mark;                 /* tells it from those */
};

typedef struct { Node *node; Edge *edge; } Step;

/* What an option has done wherever it was taken: the expectation of it where it was not taken yet. */
struct Habit { u64 key; num worth; int32_t visits; };

/* What the rules say is good: nothing; weighed like all else; held against the others, or, where it is the same for all,
   against what it mostly is, both measured by how much it differs. */
enum { SAID_NOTHING, SAID_WEIGHED, SAID_APART, SAID_TOGETHER, SAID_OFFSET = 1 << 20, SAID_SEEN = 4096, UNIT = 256 };

/* What a position seems to be worth, before it is over: weights of what each player has, and where. */
struct Judge {
    num cut;                     /* after so many decisions at random a position is judged; below 0 never */
    num pieces, groups, traits, numbers, side, per_point;
    num said;                    /* how the rules say what is good: see SAID_… */
    num per_said;                /* what one of it weighs, in parts of WHOLE */
    const int32_t *owner, *sort; /* by piece: whose it is, -1 where that changes; its sort, -1 where it does not count */
    const int32_t *group, *holder;  /* by spot: which weights hold there, -1 for none; whose place it is */
    const int32_t *trait;        /* by trait: its field, how many values it has, the least of them */
    const int32_t *number;       /* by number: its field, its place there, whose it is, its column */
    const int32_t *cells, *columns, *tempo, *powers;
};

/* An option that was taken, as others may come to know of it. */
typedef struct { int32_t seat, at, pieces, spots[STRIDE], row[STRIDE]; } Told;

struct Tree {
    Context *x;
    State state;              /* of the play that is under way */
    Node *root;
    char **chunks;
    num chunk_count, chunk, used, bytes, most_bytes, full;
    Habit *habits;
    num habit_count, habit_room;
    Step path[DEEPEST];
    num depth;
    u64 seed;
    num plays, limit, explore, faults, wide;
    num low, high;            /* the least and most that anybody got */
    num result[PLAYERS];
    num deepest;
    int32_t first_seen;       /* whether a result was seen at all */
    /* For games in which something is hidden, or decided at once in secret: */
    State guess;              /* a state that whoever searches believes possible */
    num me;                   /* who searches */
    int32_t *asked, *taken;   /* the options of the question as the guess has them, and what was taken before in secret */
    num asked_count, taken_count, taken_now;
    Node **nodes;             /* by what a player has seen */
    num node_count, node_room;
    u64 met[PLAYERS];         /* what each player has seen in this play */
    Told told[MOST_TOLD];     /* what was taken since, which others are told of when play stands again */
    num told_count, opened, at_question;
    num secret_seat, others_opened;  /* who decides in secret now, and whether another who did left the tree */
    u64 picks;                /* where to begin among equals */
    Judge judge;
    num said_seen, said_sum, said_spread;  /* how often it was asked what is good, and what the answers were like */
    Manner manner;            /* how those behind the tree decide, if that was learnt; else they take anything */
    struct Lesson *lesson;    /* where decisions are noted, while a manner is learnt */
    const double *practising; /* what traits weigh until then */
    struct Mix *mix;          /* how often options are taken, where it is mixed */
    num mannered, behind;     /* whether it was learnt; whether those who decide in secret are behind the tree */
};

static int32_t sloped[TABLED], rooted[TABLED];  /* WHOLE / sqrt(n), and sqrt(ln(n)) */

/* The natural logarithm, in sixteenths of bits: a straight line between powers of two. */
static num logarithm(num n) {
    num whole = 63 - __builtin_clzll((u64)n);
    num binary = (whole << SHARP) + ((n << SHARP) >> whole) - WHOLE;
    return binary * 45426 >> SHARP;
}

/* So many options of a decision may have been tried by now: of a long menu few, and more with every look at it. */
static num width_of(const Tree *t, const Node *n) { return t->wide + 2 * square_root((u64)n->visits); }

static num slope_of(num n) { return n < TABLED ? sloped[n] : square_root((1ULL << 2 * SHARP) / (u64)n); }
static num root_of(num n) { return n < TABLED ? rooted[n] : square_root((u64)logarithm(n) << SHARP); }

static void fill_tables(void) {
    for (num n = TABLED - 1; n > 0; n--) {
        rooted[n] = (int32_t)square_root((u64)logarithm(n) << SHARP);
        sloped[n] = (int32_t)square_root((1ULL << 2 * SHARP) / (u64)n);
    }
}

/* ---- memory: handed out from large chunks, up to a limit, and given back all at once ---- */

static void *kept_room(Tree *t, num size) {
    size = (size + 15) & ~15;
    if (t->used + size > t->chunk) {
        t->chunk = greatest(CHUNK, size), t->used = 0;
        t->chunks = realloc(t->chunks, sizeof(char *) * (size_t)(t->chunk_count + 1));
        t->chunks[t->chunk_count++] = malloc((size_t)t->chunk);
        t->bytes += t->chunk;
        t->full = t->bytes >= t->most_bytes;
    }
    void *found = t->chunks[t->chunk_count - 1] + t->used;
    t->used += size;
    return found;
}

static const int32_t *kept_result(Tree *t) {
    int32_t *kept = kept_room(t, sizeof(int32_t) * PLAYERS);
    for (num i = 0; i < PLAYERS; i++) kept[i] = (int32_t)t->result[i];
    return kept;
}

/* ---- what options have done elsewhere ---- */

static u64 key_of(num at, num seat, const int32_t *row) {
    u64 key = mixed((u64)at * 64 + (u64)seat + 1);
    for (num i = 0; i < STRIDE; i++) key = mixed(key ^ (u64)(uint32_t)row[i]) + GOLDEN;
    return key;
}

static Habit *habit(Tree *t, u64 key) {
    u64 at = key & (u64)(t->habit_room - 1);
    while (t->habits[at].visits && t->habits[at].key != key) at = (at + 1) & (u64)(t->habit_room - 1);
    return &t->habits[at];
}

static void more_habits(Tree *t) {
    Habit *old = t->habits;
    num room = t->habit_room;
    t->habit_room = 2 * room;
    t->habits = calloc((size_t)t->habit_room, sizeof(Habit));
    for (num i = 0; i < room; i++)
        if (old[i].visits) *habit(t, old[i].key) = old[i];
    free(old);
}

static void note_habit(Tree *t, u64 key, num got) {
    Habit *h = habit(t, key);
    if (!h->visits) {
        if (2 * t->habit_count >= t->habit_room) {
            if (t->full) return;
            more_habits(t);
            h = habit(t, key);
        }
        t->habit_count++;
        h->key = key;
    }
    h->visits++;
    h->worth += got;
}

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

/* All fare alike: better than this position mostly is, or worse. */
static void judge_together(Tree *t, State *s) {
    num said[PLAYERS];
    ask_what_is_good(t, s, said);
    num spread = usual_spread(t, said[0], -1), ahead = said[0] - t->said_sum / t->said_seen;
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
        if (ROWS && PLAYERS == 1)
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
            take(x, s, x->rows + STRIDE * by_manner(t, s, x->seat), 0);
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
    num stop = t->mannered ? acted_out(t, &t->state) : played(x, &t->state);
    x->limit = t->limit;
    x->playing = 0;
    come_to(t, &t->state, stop);
    return stop;
}

/* ---- nodes ---- */

/* What each option of a node is due; they are in the context. */
static void note_shares(Tree *t, Node *n) {
    if (n->count > LONGEST_MENU) return;
    n->shares = kept_room(t, (num)sizeof(int32_t) * n->count);
    shares_so(t->x, &t->manner, &t->state, n->seat, n->shares);
}

/* A node for the decision at which the state stands, its options as they are in the context; tried in any order. */
static Node *plant(Tree *t, u64 mark) {
    Context *x = t->x;
    Node *n = kept_room(t, sizeof *n);
    memset(n, 0, sizeof *n);
    n->count = (int32_t)x->count, n->seat = (int32_t)x->seat, n->mark = mark;
    n->order = kept_room(t, (num)sizeof(int32_t) * x->count);
    n->keys = kept_room(t, (num)sizeof(u64) * x->count);
    u64 stream = seeded(t->seed, t->plays) ^ GOLDEN;
    for (num i = 0; i < n->count; i++) {
        num k = i ? drawn(&stream, i + 1) : 0;
        n->order[i] = n->order[k];
        n->order[k] = (int32_t)i;
        n->keys[i] = key_of(t->state.pc, n->seat, x->rows + i * STRIDE);
    }
    if (x->count * STRIDE <= WORDY) {
        int32_t *rows = kept_room(t, (num)sizeof(int32_t) * x->count * STRIDE);
        memcpy(rows, x->rows, sizeof(int32_t) * (size_t)(x->count * STRIDE));
        n->rows = rows;
    }
    if (t->mannered) note_shares(t, n);
    n->state = kept_room(t, sizeof(State));
    begin(n->state, &t->state);
    return n;
}

/* The options of a node; where they were too many to be kept, they are worked out again on the state of the play. */
static const int32_t *rows_of(Tree *t, Node *n) {
    if (n->rows) return n->rows;
    begin(&t->state, n->state);
    run(t->x, &t->state);
    return t->x->rows;
}

/* What is to be expected of an option that was not tried yet: as much as it did elsewhere. */
static num expected(Tree *t, u64 key, num mean) {
    const Habit *h = habit(t, key);
    return (h->worth + 2 * mean) / (h->visits + 2);
}

/* What is added for what is due attention, and had little. */
static num due(const Tree *t, num share, num root, num visits) {
    return greatest(t->high - t->low, 1) * share / (1 + visits) * root >> SHARP;
}

/* Of the options of a node that were not tried yet the one that attracts most: its place in the order, and how much. */
static num fresh_at(Tree *t, Node *n, num mean, num root, num *most) {
    num at = n->tried;
    *most = -1;
    for (num i = n->tried; i < n->count; i++) {
        num one = n->order[i], worth = expected(t, n->keys[one], mean);
        if (n->shares) worth += due(t, n->shares[one], root, 0);
        if (worth > *most) *most = worth, at = i;
    }
    return at;
}

/* One more option of a node is tried. */
static Edge *open_edge(Tree *t, Node *n, num at) {
    if (n->tried == n->room) {
        num room = least(n->count, n->room ? 2 * n->room : FIRST);
        Edge *edges = kept_room(t, (num)sizeof(Edge) * room);
        memset(edges, 0, sizeof(Edge) * (size_t)room);
        if (n->room) memcpy(edges, n->edges, sizeof(Edge) * (size_t)n->room);
        n->edges = edges, n->room = (int32_t)room;
    }
    int32_t one = n->order[at];
    n->order[at] = n->order[n->tried];
    n->order[n->tried] = one;
    Edge *e = &n->edges[n->tried++];
    e->option = one, e->key = n->keys[one];
    return e;
}

/* What seems best to try: what did well, or was tried little, or is due more attention in the manner that was learnt.
   What was never tried counts as if once, as well as it did elsewhere. */
static Edge *attractive(Tree *t, Node *n) {
    num spread = t->explore * root_of(n->visits + 1) >> SHARP, root = square_root((u64)n->visits + 1), best = -1, at = -1;
    spread = spread * greatest(t->high - t->low, 1) >> SHARP;
    for (num i = 0; i < n->tried; i++) {
        const Edge *e = &n->edges[i];
        num more = n->shares ? due(t, n->shares[e->option], root, e->visits) : spread * slope_of(e->visits) >> SHARP;
        num score = e->sure ? e->sure[n->seat] : e->mean + more;
        if (score > best) best = score, at = i;
    }
    if (n->tried == n->count || (!n->shares && at >= 0 && n->tried >= width_of(t, n))) return &n->edges[at];
    num mean = n->visits ? n->worth / n->visits : WHOLE / PLAYERS;
    if (!n->shares && mean + spread < best) return &n->edges[at];
    num fresh, which = fresh_at(t, n, mean, root, &fresh);
    return n->shares && fresh < best ? &n->edges[at] : open_edge(t, n, which);
}

/* ---- what is certain ---- */

/* Whether it is certain what comes of a node, now that it is of one of its options. */
static const int32_t *certain(const Node *n) {
    const int32_t *best = 0;
    num open = n->tried < n->count;
    for (num i = 0; i < n->tried; i++) {
        const int32_t *sure = n->edges[i].sure;
        if (!sure) open = 1;
        else if (!best || sure[n->seat] > best[n->seat]) best = sure;
    }
    return best && (!open || best[n->seat] == WHOLE) ? best : 0;
}

static void back_up(Tree *t, const int32_t *sure) {
    note_range(t);
    if (t->depth > t->deepest) t->deepest = t->depth;
    for (num i = t->depth - 1; i >= 0; i--) {
        Node *n = t->path[i].node;
        Edge *e = t->path[i].edge;
        num got = t->result[n->seat];
        n->visits++;
        n->worth += got;
        e->visits++;
        e->worth += got;
        e->mean = e->worth / e->visits;
        note_habit(t, e->key, got);
        if (sure && !e->varies) {
            e->sure = sure;
            sure = n->sure = certain(n);
        } else
            sure = 0;
    }
}

/* ---- a play where nothing is hidden: states are kept in the tree ---- */

static u64 mark_of(const State *s) {
    State plain;
    begin(&plain, s);
    streams_apart(&plain, 0);
    const char *bytes = (const char *)&plain;
    u64 key = GOLDEN, word;
    num length = LASTING, i = 0;
    for (; i + 8 <= length; i += 8) {
        memcpy(&word, bytes + i, 8);
        key = (key ^ word) * 0x9FB21C651E98DF25ULL;
        key ^= key >> 32;
    }
    for (; i < length; i++) key = (key ^ (u64)(unsigned char)bytes[i]) * 0x9FB21C651E98DF25ULL;
    return mixed(key);
}

/* Goes on behind an option of a node, without deciding. */
static void step_down(Tree *t, Node *n, Edge *e) {
    const int32_t *row = rows_of(t, n) + e->option * STRIDE;
    int32_t kept[STRIDE];
    memcpy(kept, row, sizeof kept);
    begin(&t->state, n->state);
    if (CHANCES) streams_apart(&t->state, seeded(t->seed, t->plays) ^ (u64)t->depth);
    take(t->x, &t->state, kept, 0);
}

static Node *child_of(Tree *t, Edge *e) {
    u64 mark = e->varies ? mark_of(&t->state) : 0;
    for (Node *n = e->child; n; n = n->other)
        if (n->mark == mark) return n;
    Node *n = plant(t, mark);
    n->other = e->child;
    e->child = n;
    return n;
}

static void one_play(Tree *t) {
    Context *x = t->x;
    Node *n = t->root;
    const int32_t *sure = 0;
    u64 seed = seeded(t->seed, t->plays);
    x->bot = seeded(seed, 100);
    x->searching = x->asking = x->trying = x->logged = x->playing = 0;
    t->depth = 0;
    while (!n->sure) {
        Edge *e = attractive(t, n);
        t->path[t->depth++] = (Step){n, e};
        if (e->sure) {
            sure = e->sure;
            break;
        }
        if (!e->visits || t->depth == DEEPEST || (t->full && (!e->child || e->varies))) {
            step_down(t, n, e);
            State *s = &t->state;
            u64 before = chance_of(s);
            num stop = roll_out(t);
            if (stop == STOP_OVER && !x->decisions && chance_of(s) == before && !t->full) sure = kept_result(t);
            back_up(t, sure);
            return;
        }
        if (e->child && !e->varies) {
            n = e->child;
            continue;
        }
        step_down(t, n, e);
        u64 before = chance_of(&t->state);
        num stop = run(x, &t->state);
        if (chance_of(&t->state) != before) e->varies = 1;
        if (stop != STOP_CHOICE) {
            come_to(t, &t->state, stop);
            back_up(t, 0);
            return;
        }
        n = child_of(t, e);
    }
    if (n->sure && !sure) sure = n->sure;
    for (num i = 0; i < PLAYERS; i++) t->result[i] = sure[i];
    back_up(t, sure);
}

/* ---- what is called from outside ---- */

/* A search for the seat `me`. Where nothing is hidden, it begins from a state. */
Tree *tree_open(const State *from, num me, u64 seed, num most_bytes, num explore, num limit) {
    if (!sloped[1]) fill_tables();
    Tree *t = calloc(1, sizeof *t);
    Context *x = t->x = game_open();
    t->judge.cut = -1;
    t->seed = seed, t->most_bytes = most_bytes, t->explore = explore, t->me = me;
    x->limit = t->limit = limit;
    t->habit_room = t->node_room = 1024;
    t->habits = calloc((size_t)t->habit_room, sizeof(Habit));
    t->nodes = calloc((size_t)t->node_room, sizeof(Node *));
    if (from) {
        begin(&t->state, from);
        if (!setjmp(x->out) && run(x, &t->state) == STOP_CHOICE) t->root = plant(t, 0);
    }
    return t;
}

void tree_close(Tree *t) {
    close_mix(t);
    for (num i = 0; i < t->chunk_count; i++) free(t->chunks[i]);
    free(t->chunks);
    free(t->habits);
    free(t->nodes);
    free(t->asked);
    free(t->taken);
    game_close(t->x);
    free(t);
}

/* From here on a play at random is broken off after `cut` decisions, and judged. */
void tree_judge(Tree *t, const Judge *judge) { t->judge = *judge; }

/* From here on all decide in this manner behind the tree. */
void tree_manner(Tree *t, const Manner *manner) {
    t->manner = *manner, t->mannered = 1;
    if (!t->root) return;
    begin(&t->state, t->root->state);
    run(t->x, &t->state);
    note_shares(t, t->root);
}

static int32_t *copied_rows(int32_t *to, const int32_t *from, num count) {
    to = realloc(to, sizeof(int32_t) * (size_t)(count * STRIDE + 1));
    memcpy(to, from, sizeof(int32_t) * (size_t)(count * STRIDE));
    return to;
}

/* The plays that follow begin from a guess: with the options of the question, and what was taken before it in secret,
   as the guess has them. */
void tree_guess(Tree *t, const State *guess, const int32_t *asked, num count, const int32_t *taken, num before) {
    begin(&t->guess, guess);
    t->asked = copied_rows(t->asked, asked, count), t->asked_count = count;
    t->taken = copied_rows(t->taken, taken, before), t->taken_count = before;
}

/* So many more plays, or until it is certain what is best: how many there were in all. */
num tree_more(Tree *t, num plays, num guessed) {
    Context *x = t->x;
    num goal = t->plays + plays;
    while (t->plays < goal && (guessed || (t->root && !t->root->sure))) {
        if (setjmp(x->out)) {  /* a rule failed: nobody wins */
            x->playing = 0, x->tree = 0;
            t->faults++;
            for (num i = 0; i < PLAYERS; i++) t->result[i] = 0;
            back_up(t, 0);
        } else if (guessed)
            one_guessed_play(t);
        else
            one_play(t);
        t->plays++;
    }
    return t->plays;
}

/* By option: how often it was tried, what came of it for whoever decides, and whether that is certain. */
void tree_found(Tree *t, num *visits, num *means, num *sure) {
    for (num i = 0; t->root && i < (t->root->state ? t->root->tried : t->root->room); i++) {
        const Edge *e = &t->root->edges[i];
        if (!e->visits) continue;
        visits[e->option] = e->visits;
        means[e->option] = e->sure ? e->sure[t->root->seat] : e->mean;
        sure[e->option] = e->sure != 0;
    }
}

/* Whether an option is better than another, by what is certain, and else by how often it was tried. */
static num better(const Edge *one, const Edge *other, num seat) {
    num a = one->sure ? one->sure[seat] : one->mean, b = other->sure ? other->sure[seat] : other->mean;
    if (one->sure || other->sure) return a > b;
    return one->visits > other->visits;
}

/* The options that are taken from here on if all do what is best, as far as that was looked into: how many. */
num tree_line(Tree *t, num *options, num most) {
    Node *n = t->root;
    num length = 0;
    while (n && n->state && length < most) {
        const Edge *best = 0;
        for (num i = 0; i < n->tried; i++)
            if (!best || better(&n->edges[i], best, n->seat)) best = &n->edges[i];
        if (!best || best->visits < LOOKED_INTO) break;
        options[length++] = best->option;
        n = best->varies ? 0 : best->child;
    }
    return length;
}

void tree_wide(Tree *t, num wide) { t->wide = wide; }
num tree_certain(Tree *t) { return t->root && t->root->sure != 0; }
num tree_bytes(Tree *t) {
    return t->bytes + t->habit_room * (num)sizeof(Habit) + t->node_room * (num)sizeof(Node *);
}
