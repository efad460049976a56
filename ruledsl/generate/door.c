/* ---- plays that somebody outside drives, decision by decision: see runtime/compiled.py ----

   A play is a piece of memory of its caller. What is read of it stands at its beginning, so that nothing has to be
   called for that. Many share a table, with one context: it lists the options of the play that was asked last. */

enum { FAULTED = -1, NOT_OFFERED = -2 };

struct Table { Context *x; Door *listed; };

struct Door {
    num count, seat, stop, decisions, fault, detail;
    Table *table;
    num drafted, given;  /* what was decided in secret since all were asked at once, and how much of that is read */
    int32_t drafts[PLAYERS * MOST_DRAFTED];
    State s;
};

num door_size(void) { return (sizeof(Door) + 15) & ~15; }

Table *table_open(void) {
    Table *t = calloc(1, sizeof *t);
    t->x = game_open();
    return t;
}

void table_close(Table *t) {
    game_close(t->x);
    free(t);
}

/* What a player has decided in secret already; `together` stops where nothing is left of it. */
static num answered(Context *x) {
    Door *d = x->tree;
    x->decisions++;
    return d->drafts[d->given++];
}

static num void_of(Door *d, Context *x) {
    d->fault = x->fault, d->detail = x->detail, d->stop = FAULTED, d->count = 0, d->seat = -1;
    d->s.ended = ENDED_VOID;
    x->tree = 0, x->playing = 0;
    return FAULTED;
}

/* Goes on to the next decision: how many options there are, 0 at the end. */
static num arrive(Door *d, Context *x) {
    num stop;
    x->searching = x->asking = x->looking = x->trying = x->logged = x->playing = 0;
    for (;;) {
        stop = run(x, &d->s);
        if (stop != STOPS_TOGETHER) break;
        x->tree = d, x->decisions = 0, x->limit = d->drafted, d->given = 0;
        num broken = together(x, &d->s, 0) == STOPS_BROKEN;
        x->tree = 0, x->playing = 0;
        if (broken) break;
        d->drafted = 0;
    }
    int asks = stop == STOPS_CHOICE || stop == STOPS_TOGETHER;
    d->stop = stop, d->count = asks ? x->count : 0, d->seat = asks ? x->seat : -1;
    d->table->listed = d;
    return d->count;
}

num door_start(Door *d, Table *t, u64 seed) {
    memset(d, 0, sizeof *d);
    d->table = t;
    if (setjmp(t->x->out)) return void_of(d, t->x);
    start(&d->s, seed);
    return arrive(d, t->x);
}

num door_enter(Door *d, Table *t, const u64 *slots) {
    memset(d, 0, sizeof *d);
    d->table = t;
    if (setjmp(t->x->out)) return void_of(d, t->x);
    game_import(&d->s, slots);
    return arrive(d, t->x);
}

num door_step(Door *d, num option) {
    Context *x = d->table->x;
    if (option < 0 || option >= d->count) return NOT_OFFERED;
    if (setjmp(x->out)) return void_of(d, x);
    if (d->stop == STOPS_TOGETHER) {
        if (d->drafted == PLAYERS * MOST_DRAFTED) fault(x, FAULT_MENU, 0);
        d->drafts[d->drafted++] = (int32_t)option;
    } else {
        if (d->table->listed != d) arrive(d, x);
        x->searching = x->asking = x->looking = 0;
        take(x, &d->s, x->rows + x->stride * option, 0);
    }
    d->decisions++;
    return arrive(d, x);
}

/* One option of each play: how many of them go on; below 0 which is asked for what is not offered, and all stand still. */
num door_steps(char *doors, num n, const num *options) {
    num going = 0;
    for (num i = 0; i < n; i++) {
        const Door *d = (Door *)(doors + i * door_size());
        if (d->count && (options[i] < 0 || options[i] >= d->count)) return -1 - i;
    }
    for (num i = 0; i < n; i++) {
        Door *d = (Door *)(doors + i * door_size());
        if (d->count) door_step(d, options[i]);
        going += d->count > 0;
    }
    return going;
}

void door_starts(char *doors, num n, Table *t, u64 seed) {
    for (num i = 0; i < n; i++) door_start((Door *)(doors + i * door_size()), t, play_seed_of(seed, i));
}

void door_copy(Door *to, const Door *from) { memcpy(to, from, sizeof *to); }

const int32_t *door_options(Door *d) {
    Context *x = d->table->x;
    if (d->table->listed != d && d->count) {
        if (setjmp(x->out)) return 0;
        arrive(d, x);
    }
    return x->rows;
}

void door_slots(const Door *d, u64 *out) { game_export(&d->s, out); }

/* Points of each player by source, and who won: `line` as in game_play. */
void door_result(Door *d, num *line) {
    Context *x = d->table->x;
    for (num i = 0; i < WIDTH; i++) line[i] = 0;
    line[0] = d->s.ended;
    if (d->stop != STOPS_OVER) return;
    if (setjmp(x->out)) return;
    settle(x, &d->s, line);
}

/* What a play was worth to each: 1, 0 or -1; or what it won of the stakes. */
static void returned(Context *x, State *s, num stop, double *out) {
    num line[WIDTH];
    for (num i = 0; i < PLAYERS; i++) out[i] = 0;
    if (stop != STOPS_OVER || s->ended == ENDED_VOID) return;
    for (num i = 0; i < WIDTH; i++) line[i] = 0;
    settle(x, s, line);
    num won = __builtin_popcountll((u64)line[1]);
    if (STAKES) {
        for (num i = 0; i < PLAYERS; i++) out[i] = (double)line[AT_POINTS + i];
        return;
    }
    if (s->ended == ENDED_TIED || (s->ended == ENDED_SCORED && (!won || won == PLAYERS))) return;
    for (num i = 0; i < PLAYERS; i++) out[i] = (u64)line[1] >> i & 1 ? 1 : -1;
}

void door_returns(Door *d, double *out) {
    if (setjmp(d->table->x->out)) return;
    returned(d->table->x, &d->s, d->stop, out);
}

/* Goes on at random from here so many times, with other chance each time: what each play is worth to each player. */
void door_rollouts(const Door *d, u64 seed, num n, num limit, double *out) {
    Context *x = d->table->x;
    State *s = malloc(sizeof *s);
    x->tree = 0;
    d->table->listed = 0;
    for (volatile num i = 0; i < n; i++) {
        u64 own = seeded(seed, i);
        begin(s, &d->s);
        chance_apart(s, own);
        count_from_here(x);
        x->bot = seeded(own, OF_BOTS), x->limit = limit;
        x->searching = x->asking = x->looking = 0;
        if (setjmp(x->out)) s->ended = ENDED_VOID, returned(x, s, STOPS_OVER, out + i * PLAYERS);
        else returned(x, s, played(x, s), out + i * PLAYERS);
        x->playing = 0;
    }
    free(s);
}

/* Whole plays at random, the very ones of `simulate` with this seed. */
void door_playouts(Table *t, u64 seed, num n, num limit, double *out) {
    Context *x = t->x;
    State *s = malloc(sizeof *s);
    x->tree = 0;
    t->listed = 0;
    for (volatile num i = 0; i < n; i++) {
        count_from_here(x);
        x->bot = seeded(play_seed_of(seed, i), OF_BOTS), x->limit = limit;
        start(s, play_seed_of(seed, i));
        x->searching = x->asking = x->looking = 0;
        if (setjmp(x->out)) s->ended = ENDED_VOID, returned(x, s, STOPS_OVER, out + i * PLAYERS);
        else returned(x, s, played(x, s), out + i * PLAYERS);
        x->playing = 0;
    }
    free(s);
}
