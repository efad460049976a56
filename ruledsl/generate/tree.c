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
    n->names = kept_room(t, (num)sizeof(int32_t) * x->count);
    u64 stream = seeded(t->seed, t->plays) ^ GOLDEN;
    for (num i = 0; i < n->count; i++) {
        num k = i ? drawn(&stream, i + 1) : 0;
        n->order[i] = n->order[k];
        n->order[k] = (int32_t)i;
        n->names[i] = name_of(t, key_of(t->state.pc, n->seat, x->rows + i * STRIDE), n->seat);
    }
    const uint8_t *round = rounds(t, &t->state);
    if (round) {
        n->round = kept_room(t, x->count);
        memcpy(n->round, round, (size_t)x->count);
        in_rounds(round, n->order, n->count);
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

/* What is added for what is due attention, and had little. */
static num due(const Tree *t, num share, num root, num visits) {
    return greatest(t->high - t->low, LEAST_RANGE) * share / (1 + visits) * root >> SHARP;
}

/* What is to be expected of an option that was not tried yet: what came of it later in other plays. */
static num hoped_for(const Tree *t, const Node *n, num option, num mean) {
    const Later *later = later_of(t->later, n->names[option]);
    return later ? later->mean : mean;
}

/* Of the options of a node that were not tried yet, of those whose turn it is, the one that attracts most: its place in
   the order, and how much. */
static num fresh_at(Tree *t, Node *n, num mean, num root, num *most) {
    num at = n->tried;
    *most = -1;
    for (num i = n->tried; i < n->count; i++) {
        num one = n->order[i], worth = hoped_for(t, n, one, mean);
        if (n->round && n->round[one] > n->round[n->order[n->tried]]) break;
        if (n->shares) worth += due(t, n->shares[one], root, 0);
        if (worth > *most) *most = worth, at = i;
    }
    return at;
}

/* How much an option attracts: what came of it here, and, while that was little, what came of it later; the less that
   counts, the more it counts that it was tried little. */
static num reckoned(const Tree *t, const Node *n, const Edge *e, num spread) {
    const Later *later = later_of(t->later, n->names[e->option]);
    num trust = trust_of(e->visits), more = spread * slope_of(e->visits) >> SHARP;
    return e->mean + (((later ? later->mean - e->mean : 0) * trust + more * (WHOLE - 3 * trust / 4)) >> SHARP);
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
    e->option = one;
    return e;
}

/* What seems best to try: what did well, or was tried little, or is due more attention in the manner that was
   learnt. */
static Edge *attractive(Tree *t, Node *n) {
    num spread = t->explore * root_of(n->visits + 1) >> SHARP, root = square_root((u64)n->visits + 1);
    num best = -1, at = -1;
    spread = spread * greatest(t->high - t->low, 1) >> SHARP;
    for (num i = 0; i < n->tried; i++) {
        const Edge *e = &n->edges[i];
        num score;
        if (e->sure) score = e->sure[n->seat];
        else if (n->shares) score = e->mean + due(t, n->shares[e->option], root, e->visits);
        else score = reckoned(t, n, e, spread);
        if (score > best) best = score, at = i;
    }
    if (n->tried == n->count || (!n->shares && at >= 0 && n->tried >= width_of(t, n))) return &n->edges[at];
    num mean = n->visits ? n->worth / n->visits : WHOLE / PLAYERS, fresh, which = fresh_at(t, n, mean, root, &fresh);
    if (!n->shares) fresh += spread * FRESH >> SHARP;
    return fresh < best ? &n->edges[at] : open_edge(t, n, which);
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

/* Notes what was taken in a play, in the tree and behind it, with every decision that was met often. */
static void note_taken(Tree *t) {
    num behind = t->x->noted - t->noted, end = t->depth + behind;
    for (num i = 0; i < t->depth; i++) t->names[i] = t->path[i].node->names[t->path[i].edge->option];
    for (num i = 0; i < behind; i++) t->names[t->depth + i] = name_of(t, t->noted[i].key, t->noted[i].seat);
    for (num i = 0; i < t->depth; i++) {
        Node *n = t->path[i].node;
        if (!n->later) {
            if (i && (n->visits < plays_enough(t) || t->full)) continue;
            n->later = kept_room(t, sizeof *n->later);
            memset(n->later, 0, sizeof *n->later);
        }
        note_later(t, n->later, i, end);
    }
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
        if (e->key) note_habit(t, e->key, got);
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
    x->searching = x->asking = x->trying = x->logged = x->playing = x->noting = 0;
    t->depth = 0;
    x->noted = t->noted;
    while (!n->sure) {
        if (n->later && (n == t->root || n->later->plays >= plays_enough(t))) t->later = n->later;
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
            note_taken(t);
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
            note_taken(t);
            back_up(t, 0);
            return;
        }
        n = child_of(t, e);
    }
    if (n->sure && !sure) sure = n->sure;
    for (num i = 0; i < PLAYERS; i++) t->result[i] = sure[i];
    note_taken(t);
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
    t->later = &t->nothing_yet;
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
    free(t->named);
    free(t->seat_of);
    free(t->stamp);
    free(t->rounds);
    free(t->asked);
    free(t->taken);
    game_close(t->x);
    free(t);
}

/* From here on a play at random is broken off after `cut` decisions, and judged. */
void tree_judge(Tree *t, const Judge *judge) {
    t->judge = *judge;
    if (t->root) note_beginning(t, t->root->state);
}

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
    note_beginning(t, &t->guess);
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
