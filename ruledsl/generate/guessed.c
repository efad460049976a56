/* ---- a play where something is hidden: each player has decisions by what it has seen itself ----

   The state is a guess; what stands in the tree must hold in all guesses. So decisions are found by what who decides
   has seen so far, and of what is offered this time that is taken which did best where it was offered. */

/* What is to be expected of an option that was not tried yet: as much as it did elsewhere. */
static num expected(Tree *t, u64 key, num mean) {
    const Habit *h = habit(t, key);
    return (h->worth + 2 * mean) / (h->visits + 2);
}

static Node *node_met(Tree *t, u64 mark) {
    u64 at = mark & (u64)(t->node_room - 1);
    while (t->nodes[at] && t->nodes[at]->mark != mark) at = (at + 1) & (u64)(t->node_room - 1);
    if (t->nodes[at] || t->full) return t->nodes[at];
    if (2 * t->node_count >= t->node_room) {
        Node **old = t->nodes;
        num room = t->node_room;
        t->node_room = 2 * room;
        t->nodes = calloc((size_t)t->node_room, sizeof(Node *));
        for (num i = 0; i < room; i++)
            if (old[i]) {
                u64 to = old[i]->mark & (u64)(t->node_room - 1);
                while (t->nodes[to]) to = (to + 1) & (u64)(t->node_room - 1);
                t->nodes[to] = old[i];
            }
        free(old);
        return node_met(t, mark);
    }
    Node *n = t->nodes[at] = kept_room(t, sizeof *n);
    memset(n, 0, sizeof *n);
    n->mark = mark;
    n->seat = -1;
    t->node_count++;
    return n;
}

/* The edge of an option, or where it would be. */
static Edge *edge_at(Node *n, u64 key) {
    u64 at = key & (u64)(n->room - 1);
    while (n->edges[at].key && n->edges[at].key != key) at = (at + 1) & (u64)(n->room - 1);
    return &n->edges[at];
}

static void make_room(Tree *t, Node *n) {
    if (n->room && 2 * (n->tried + 1) <= n->room) return;
    const Edge *old = n->edges;
    num room = n->room;
    n->room = (int32_t)(room ? 2 * room : 8);
    n->edges = kept_room(t, (num)sizeof(Edge) * n->room);
    memset(n->edges, 0, sizeof(Edge) * (size_t)n->room);
    for (num i = 0; i < room; i++)
        if (old[i].key) *edge_at(n, old[i].key) = old[i];
}

/* Which option of the question a row is, mostly the one at the same place; the guess may have other pieces where the
   seat does not know them. */
static num asked_for(const Tree *t, const int32_t *row, num at) {
    if (at < t->asked_count && !memcmp(t->asked + at * STRIDE, row, sizeof(int32_t) * STRIDE)) return at;
    for (num i = 0; i < t->asked_count; i++)
        if (!memcmp(t->asked + i * STRIDE, row, sizeof(int32_t) * STRIDE)) return i;
    return -1;
}

/* How much an edge attracts among those that are offered this time. */
static num attraction(Tree *t, Edge *e, num share) {
    e->offered++;
    if (share >= 0) return e->mean + due(t, share, square_root((u64)e->offered + 1), e->visits);
    num spread = t->explore * root_of(e->offered) >> SHARP;
    spread = spread * greatest(t->high - t->low, 1) >> SHARP;
    return e->mean + (spread * slope_of(e->visits) >> SHARP);
}

/* The same of an option that was not tried at a node yet. */
static num attraction_of_new(Tree *t, const Node *n, u64 key, num share) {
    num mean = n->visits ? n->worth / n->visits : WHOLE / PLAYERS;
    if (share >= 0) return expected(t, key, mean) + due(t, share, square_root((u64)n->visits + 1), 0);
    num spread = t->explore * root_of(n->visits + 1) >> SHARP;
    return expected(t, key, mean) + (spread * greatest(t->high - t->low, 1) >> SHARP);
}

/* What to take of the options in the context, at a node. The edge goes to the path. */
static num picked_at(Tree *t, const State *s, Node *n, num seat, num question) {
    Context *x = t->x;
    int32_t shares[LONGEST_MENU];
    num mannered = t->mannered && x->count <= LONGEST_MENU;
    num best = -1, which = -1, first = x->count > 1 ? drawn(&t->picks, x->count) : 0;
    num new_best = -1, new_which = -1, wide = mannered || n->tried < width_of(t, n);
    u64 key = 0, new_key = 0;
    const uint8_t *round = rounds(t, s);
    num new_round = round ? UINT8_MAX : 0;
    n->seat = (int32_t)seat;
    if (mannered) shares_so(x, &t->manner, s, seat, shares);
    for (num k = 0; k < x->count; k++) {
        num i = first + k < x->count ? first + k : first + k - x->count, share = mannered ? shares[i] : -1;
        u64 own;
        if (question) {
            num number = asked_for(t, x->rows + i * STRIDE, i);
            if (number < 0) continue;
            own = mixed((u64)number + 1) | 1;
        } else
            own = key_of(s->pc, seat, x->rows + i * STRIDE) | 1;
        Edge *e = n->room ? edge_at(n, own) : 0;
        if (e && e->key) {
            num score = attraction(t, e, share);
            if (score > best) best = score, which = i, key = own;
        } else if (!round || round[i] <= new_round) {
            num score = attraction_of_new(t, n, own, share);
            if (round && round[i] < new_round) new_round = round[i], new_best = -1;
            if (score > new_best) new_best = score, new_which = i, new_key = own;
        }
    }
    if (new_which >= 0 && (which < 0 || (wide && new_best > best))) which = new_which, key = new_key;
    if (which < 0) return -1;
    make_room(t, n);
    Edge *e = edge_at(n, key);
    if (!e->key) {
        e->key = key, e->offered = 1;
        e->option = question ? (int32_t)asked_for(t, x->rows + which * STRIDE, which) : -1;
        n->tried++;
        t->opened = 1;
    }
    if (question) t->root = n;
    t->path[t->depth++] = (Step){n, e};
    return which;
}

static u64 mark_at(const Tree *t, num at, num seat) { return mixed(t->met[seat] ^ mixed((u64)at * 64 + (u64)seat)) | 1; }

/* Notes an option of the context for those who will be told of it. */
static void to_be_told(Tree *t, const State *s, num seat, const int32_t *row) {
    t->met[seat] = mixed(t->met[seat] ^ key_of(s->pc, seat, row)) + GOLDEN;
    if (t->told_count == MOST_TOLD) return;
    Told *told = &t->told[t->told_count++];
    told->seat = (int32_t)seat, told->at = s->pc, told->pieces = (int32_t)piece_columns(s, row);
    for (num i = 0; i < STRIDE; i++) {
        told->row[i] = row[i];
        told->spots[i] = told->pieces >> i & 1 && row[i] >= 0 ? (int32_t)spot_of(s, row[i]) : 0;
    }
}

/* Others learn what was taken: a piece that they do not know even now by where it was. */
static void tell_others(Tree *t) {
    for (num k = 0; k < t->told_count; k++) {
        const Told *told = &t->told[k];
        for (num player = 0; player < PLAYERS; player++) {
            if (player == told->seat) continue;
            int32_t row[STRIDE];
            for (num i = 0; i < STRIDE; i++) {
                num value = told->row[i];
                if (told->pieces >> i & 1 && value >= 0)
                    value = known_to(t->x, &t->state, value, player) ? row_of_piece(value) : -2 - told->spots[i];
                row[i] = (int32_t)value;
            }
            t->met[player] = mixed(t->met[player] ^ key_of(told->at, told->seat, row)) + GOLDEN;
        }
    }
    t->told_count = 0;
}

/* Decides for a player who decides in secret while others do, too. */
static num chosen_in_secret(Context *x, const State *s, num seat) {
    Tree *t = x->tree;
    num which = -1, question = 0;
    if (t->mix) return mixed_in_secret(t, s, seat);
    if (t->behind) {
        x->decisions++, x->steps = 0;
        return by_manner(t, s, seat);
    }
    if (seat != t->secret_seat) {  /* each goes down a tree of its own */
        t->secret_seat = seat;
        t->others_opened |= t->opened;
        t->opened = 0;
    }
    if (x->count > MOST_OPTIONS) fault(x, FAULT_MENU, 0);
    if (seat == t->me && t->at_question) {
        if (t->taken_now < t->taken_count) {
            const int32_t *row = t->taken + t->taken_now++ * STRIDE;
            for (num i = 0; i < x->count; i++)
                if (!memcmp(x->rows + i * STRIDE, row, sizeof(int32_t) * STRIDE)) which = i;
            if (which < 0) fault(x, FAULT_MENU, 0);
        } else
            question = 1, t->at_question = 0;
    }
    x->steps = 0;
    if (which < 0 && !t->opened && t->depth < DEEPEST) {
        Node *n = node_met(t, question ? 1 : mark_at(t, s->pc, seat));
        if (n) which = picked_at(t, s, n, seat, question);
    }
    if (which < 0 && t->mannered) which = by_manner(t, s, seat), x->decisions++;
    if (which < 0) which = decided(x, x->count);
    to_be_told(t, s, seat, x->rows + which * STRIDE);
    return which;
}

static void one_guessed_play(Tree *t) {
    Context *x = t->x;
    State *s = &t->state;
    u64 seed = seeded(t->seed, t->plays);
    x->bot = seeded(seed, 100);
    t->picks = seeded(seed, 101);
    x->searching = x->asking = x->trying = x->logged = x->playing = 0;
    x->decisions = 0;
    t->depth = t->told_count = t->opened = t->taken_now = 0;
    t->at_question = 1;
    memset(t->met, 0, sizeof t->met);
    begin(s, &t->guess);
    streams_apart(s, seed);
    num stop = run(x, s);
    while (!t->opened && t->depth < DEEPEST) {
        if (stop == STOP_TOGETHER) {
            x->tree = t;
            t->secret_seat = -1;
            t->others_opened = 0;
            if (together(x, s, 0) == BROKEN_OFF) stop = BROKEN_OFF;
            x->tree = 0, x->playing = 0;
            t->opened |= t->others_opened;
            if (stop == BROKEN_OFF || t->opened) break;
        } else if (stop == STOP_CHOICE) {
            num question = t->at_question, at = s->pc, seat = x->seat;
            t->at_question = 0;
            Node *n = node_met(t, question ? 1 : mark_at(t, at, seat));
            num which = n ? picked_at(t, s, n, seat, question) : -1;
            if (which < 0) break;
            int32_t row[STRIDE];
            memcpy(row, x->rows + which * STRIDE, sizeof row);
            to_be_told(t, s, seat, row);
            take(x, s, row, 0);
            if (t->opened) break;
        } else
            break;
        stop = run(x, s);
        tell_others(t);
    }
    if (stop == STOP_OVER || stop == BROKEN_OFF || stop == STOP_DRAFTED) come_to(t, &t->state, stop);
    else roll_out(t);
    back_up(t, 0);
}
