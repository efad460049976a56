/* ---- looking ahead through choices: see engine/machine.py, `ways` ---- */

/* A position on the way, with the options that are still to be taken. */
struct Stage { State s; int32_t *rows; num room, count, next, fresh; };

/* All ways through an effect, one after the other, on a context of its own: options that are being listed stay. */
struct Through {
    Context *x;
    Stage **stages;
    num depth, size;
    u64 (*seen)[2];      /* positions that were met, by two hashes */
    num met, places;
    u64 *slots;          /* a position as it is carried out */
};

static Stage *through_deeper(Context *x, Through *t) {
    if (++t->depth == t->size) {
        num size = t->size ? 2 * t->size : 16;
        t->stages = realloc(t->stages, sizeof(Stage *) * (size_t)size);
        if (t->stages) memset(t->stages + t->size, 0, sizeof(Stage *) * (size_t)(size - t->size));
        t->size = size;
    }
    if (!t->stages) fault(x, FAULT_ARENA, 0);
    if (!t->stages[t->depth]) t->stages[t->depth] = calloc(1, sizeof(Stage));
    if (!t->stages[t->depth]) fault(x, FAULT_ARENA, 0);
    Stage *one = t->stages[t->depth];
    one->fresh = 1, one->count = one->next = 0;
    return one;
}

static Through *through_begin(Context *x, const State *s) {
    if (x->looking >= MOST_WITHIN) fault(x, FAULT_ARENA, 0);
    Through *t = x->throughs[x->looking];
    if (!t) {
        t = x->throughs[x->looking] = calloc(1, sizeof(Through));
        if (!t) fault(x, FAULT_ARENA, 0);
        t->x = game_open();
        t->slots = calloc(SLOTS, sizeof(u64));
        t->places = 256;
        t->seen = calloc((size_t)t->places, sizeof *t->seen);
    }
    x->looking++;
    t->depth = -1;
    if (t->met) memset(t->seen, 0, sizeof *t->seen * (size_t)t->places);
    t->met = 0;
    t->x->searching = t->x->asking = t->x->looking = t->x->trying = t->x->logged = t->x->playing = 0;
    Stage *first = through_deeper(x, t);
    begin(&first->s, s);
    return t;
}

static State *through_state(Through *t) { return &t->stages[t->depth]->s; }

/* Whether a position is met for the first time. */
static num through_new(Through *t, const State *s) {
    game_export(s, t->slots);
    u64 a = 1, b = 2;
    for (num i = 0; i < SLOTS; i++) {
        a = (a ^ t->slots[i]) * 0x9E3779B97F4A7C15u, a ^= a >> 31;
        b = (b + t->slots[i]) * 0xD6E8FEB86659FD93u, b ^= b >> 29;
    }
    a += !a && !b;
    if (2 * t->met >= t->places) {
        u64 (*old)[2] = t->seen;
        num before = t->places;
        t->places *= 2;
        t->seen = calloc((size_t)t->places, sizeof *t->seen);
        for (num i = 0; i < before; i++)
            if (old[i][0] || old[i][1]) {
                num at = (num)(old[i][0] & (u64)(t->places - 1));
                while (t->seen[at][0] || t->seen[at][1]) at = (at + 1) & (t->places - 1);
                t->seen[at][0] = old[i][0], t->seen[at][1] = old[i][1];
            }
        free(old);
    }
    num at = (num)(a & (u64)(t->places - 1));
    for (; t->seen[at][0] || t->seen[at][1]; at = (at + 1) & (t->places - 1))
        if (t->seen[at][0] == a && t->seen[at][1] == b) return 0;
    t->seen[at][0] = a, t->seen[at][1] = b;
    t->met++;
    return 1;
}

/* The next state in which a way ends; none if there are no more. */
static State *through_next(Context *x, Through *t, num most, num too_far) {
    Context *y = t->x;
    if (setjmp(y->out)) fault(x, y->fault, y->detail);
    while (t->depth >= 0) {
        Stage *one = t->stages[t->depth];
        if (!one->fresh) {
            if (one->next >= one->count) {
                t->depth--;
                continue;
            }
            Stage *next = through_deeper(x, t);
            begin(&next->s, &one->s);
            take(y, &next->s, one->rows + STRIDE * one->next++, 0);
            continue;
        }
        one->fresh = 0;
        y->rows = one->rows, y->room = one->room;
        num stop = run(y, &one->s);
        one->rows = y->rows, one->room = y->room;
        y->rows = 0, y->room = 0;
        if (stop != ASKED) {
            t->depth--;
            return &one->s;
        }
        num count = y->count;
        if (!through_new(t, &one->s)) {
            t->depth--;
            continue;
        }
        if (t->met > most) fault(x, too_far, 0);
        one->count = count;
    }
    return 0;
}

static void through_end(Context *x, Through *t) {
    (void)t;
    x->looking--;
}

static void through_free(Through *t) {
    if (!t) return;
    for (num i = 0; i < t->size; i++)
        if (t->stages[i]) free(t->stages[i]->rows), free(t->stages[i]);
    free(t->stages);
    free(t->seen);
    free(t->slots);
    game_close(t->x);
    free(t);
}
