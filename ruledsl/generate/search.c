/* ---- search: which option is best, told from many plays on from here; `ruledsl.bots.tree` does the same in Python ----

   A tree of decisions grows with the plays. On the way down each player takes what has done best for itself so far,
   or what was tried little (UCB1, in whole numbers); behind the tree options are taken at random. What a play comes
   to is one number for each player, from 0 to WHOLE.

   Where nothing is hidden, a play tells something of all options that were taken in it, however late: of each is kept
   what came of plays in which it was taken at a decision or behind it (all moves as first, and of decisions that were
   met seldom what is known above them, as in GRAVE). By that it is told what to try first; the more often an option
   is tried itself, the less that counts. */

enum { MOST_TRAITS = 4,  /* see bots/judge.py */
       SHARP = 16, WHOLE = 1 << SHARP, TABLED = 4096, A_POINT = 32, DEEPEST = 400, MOST_TOLD = 64, LOOKED_INTO = 10, CHUNK = 1 << 20, FIRST = 4, WORDY = 512,  /* WORDY: of longer menus only names are kept */
       TRUST = 20, FRESH = 20000, LEAST_RANGE = 256, OFTEN = 16, SEVERAL = 32, MOST_NOTED = 512 };  /* see bots/tree.py */

/* What has been seen of an option: how often it was tried, what came of it for whoever decides. */
struct Edge {
    num worth, mean;
    int32_t visits, offered;  /* `offered` counts in games in which not everything is offered each time */
    int16_t varies, known;    /* whether chance comes in behind it; whether it is a slot of a known result */
    int32_t option;
    const int32_t *sure;      /* the result, if it is certain */
    struct Node *child;       /* the first of those to which it may lead */
    u64 key;                  /* where something is hidden: what finds it again */
};

struct Node {
    num visits, worth;        /* of all plays through it, and what came of them for whoever decides */
    int32_t count, tried, room, seat;
    Edge *edges;              /* of options in the order in which they are tried */
    int32_t *order;           /* options by this order */
    int32_t *names;           /* by option, its number among all that were met anywhere */
    Laters *later;     /* what came of options that were taken here or later, once it was tried some times */
    uint8_t *round;           /* by option, in which round it is tried, where there are several */
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

/* An option that was met somewhere, and its number, by what finds it again. */
struct Named { u64 key; int32_t name, seat; };

/* What came of plays through a decision in which an option was taken there or later, by the number of the option. */
struct Later { int32_t visits, mean; num worth; };
struct Laters { num plays, room, sum[PLAYERS]; Later *of; };

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
    Named *named;
    num named_count, named_room;
    int32_t *seat_of, *stamp; /* by number of an option who takes it, and when it was counted last */
    num name_room, stamped;
    Laters nothing_yet;
    const Laters *later; /* of the lowest decision on the way down through which there were plays enough */
    int32_t names[DEEPEST + MOST_NOTED];
    Noted noted[MOST_NOTED];
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
    uint8_t *rounds;          /* in which round each option of a menu is tried */
    num round_room;
    Judge judge;
    num begun, said_first;    /* whether it is known how good the position was at which the search began, and that */
    num said_seen, said_sum, said_spread;  /* how often it was asked what is good, and what the answers were like */
    Manner manner;            /* how those behind the tree decide, if that was learnt; else they take anything */
    struct Lesson *lesson;    /* where decisions are noted, while a manner is learnt */
    const double *practising; /* what traits weigh until then */
    struct Mix *mix;          /* how often options are taken, where it is mixed */
    num mannered, behind;     /* whether it was learnt; whether those who decide in secret are behind the tree */
};

static int32_t sloped[TABLED], rooted[TABLED];  /* WHOLE / sqrt(n), and sqrt(ln(n)) */
static u64 parted[TABLED];                      /* 1 / n, in parts of 1 << 32 */
static int32_t trusted[TABLED];                 /* how much what came later counts, beside what was tried n times */

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
        parted[n] = (1ULL << 32) / (u64)n;
        trusted[n] = (int32_t)(WHOLE * TRUST / (TRUST + n));
    }
}

static num mean_of(num worth, num n) { return n < TABLED ? (num)((u64)worth * parted[n] >> 32) : worth / n; }
static num trust_of(num n) { return n < TABLED ? trusted[n] : WHOLE * TRUST / (TRUST + n); }

/* ---- memory: handed out from large chunks, up to a limit, and given back all at once ---- */

static void *kept_room(Tree *t, num size) {
    size = (size + 15) & ~15;
    if (t->used + size > t->chunk) {
        t->chunk = greatest(CHUNK, size), t->used = 0;
        t->chunks = realloc(t->chunks, sizeof(char *) * (size_t)(t->chunk_count + 1));
        t->chunks[t->chunk_count++] = malloc((size_t)t->chunk);
        t->bytes += t->chunk;
        t->full |= t->bytes >= t->most_bytes;
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
    u64 key = (u64)at * 64 + (u64)seat + 1;
    for (num i = 0; i < STRIDE; i++) key += (u64)(uint32_t)row[i] * factors[i];
    return mixed(key) | 1;
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

/* ---- what options come to that are taken later in a play: the expectation of them where they are tried little ---- */

static Named *named_at(Tree *t, u64 key) {
    u64 at = key & (u64)(t->named_room - 1);
    while (t->named[at].key && t->named[at].key != key) at = (at + 1) & (u64)(t->named_room - 1);
    return &t->named[at];
}

static void more_names(Tree *t) {
    Named *old = t->named;
    num room = t->named_room;
    t->named_room = room ? 2 * room : 1024;
    t->named = calloc((size_t)t->named_room, sizeof(Named));
    for (num i = 0; i < room; i++)
        if (old[i].key) *named_at(t, old[i].key) = old[i];
    free(old);
    t->seat_of = realloc(t->seat_of, sizeof(int32_t) * (size_t)t->named_room / 2);
    t->stamp = realloc(t->stamp, sizeof(int32_t) * (size_t)t->named_room / 2);
    t->bytes += (t->named_room - room) * (num)(sizeof(Named) + sizeof(int32_t));
    t->full |= t->bytes >= t->most_bytes;
}

/* The number of an option; -1 where there is no room for more of them. */
static int32_t name_of(Tree *t, u64 key, num seat) {
    Named *found = t->named_room ? named_at(t, key) : 0;
    if (found && found->key) return found->name;
    if (2 * t->named_count >= t->named_room) {
        if (t->full) return -1;
        more_names(t);
        found = named_at(t, key);
    }
    found->key = key, found->name = (int32_t)t->named_count++;
    t->seat_of[found->name] = (int32_t)seat, t->stamp[found->name] = -1;
    return found->name;
}

/* What came of an option; nothing where it was not met, or there was no room. */
static inline const Later *later_of(const Laters *all, int32_t name) {
    return (uint32_t)name < (u64)all->room && all->of[name].visits ? &all->of[name] : 0;
}

/* Room for what comes of all options that were met so far: whether there is. */
static num later_fits(Tree *t, Laters *all) {
    if (t->named_count <= all->room) return 1;
    if (t->full) return 0;
    num room = greatest(64, 2 * t->named_count);
    Later *longer = kept_room(t, (num)sizeof(Later) * room);
    if (all->room) memcpy(longer, all->of, sizeof(Later) * (size_t)all->room);
    memset(longer + all->room, 0, sizeof(Later) * (size_t)(room - all->room));
    all->of = longer, all->room = room;
    return 1;
}

/* Notes what came of the options that were taken from a decision on, each once. What came of few plays counts as if
   there were two more that are like all. */
static void note_later(Tree *t, Laters *all, num from, num to) {
    num usual[PLAYERS];
    all->plays++;
    t->stamped++;
    for (num i = 0; i < PLAYERS; i++) all->sum[i] += t->result[i], usual[i] = 2 * (all->sum[i] / all->plays);
    if (!later_fits(t, all)) return;
    for (num i = from; i < to; i++) {
        int32_t name = t->names[i];
        if (name < 0 || t->stamp[name] == (int32_t)t->stamped) continue;
        num seat = t->seat_of[name];
        Later *one = &all->of[name];
        t->stamp[name] = (int32_t)t->stamped;
        one->visits++;
        one->worth += t->result[seat];
        one->mean = (int32_t)mean_of(one->worth + usual[seat], one->visits + 2);
    }
}

/* So many plays must have gone through a decision before it is told there what came of options later: the more there
   are of them, the more. */
static num plays_enough(const Tree *t) { return OFTEN + t->named_count / SEVERAL; }
