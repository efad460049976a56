/* ---- a manner: how those tend to decide who do well; `ruledsl.bots.manner` decides alike in Python ----

   Each option has some traits: what it is, each of its values, and what it is while who decides has so much of this or
   that. What all of them weigh tells how often it is taken. */

enum { POWERS = 4096,  /* see bots/judge.py */
       MANNERED = 1 << 13, PAIRED = 1 << 16, MOST_AMOUNTS = 40, MOST_LAID = 24, SO_MUCH = 6, MOST_ROUNDS = 15, LONGEST_MENU = 1024,
       MOST_TRAITS_OF_ONE = STRIDE + 4 + (MOST_AMOUNTS + MOST_LAID + 1) * (STRIDE + 1) };

struct Manner {
    const int32_t *first;    /* by decision of the rules: its first line in what follows; there are three before it */
    const int32_t *code;     /* by entry of a menu: what it is called */
    const int32_t *length;   /* by entry: how many values it has; one, where they are chosen step by step */
    const int32_t *amount;   /* by number and player: its field and its place there, which are -1 for none */
    const int32_t *weights;
    const int32_t *rarely;   /* e to the power of minus so many parts of UNIT, in parts of 65536 */
    const int32_t *laid;     /* by kind of piece and spot: in which column it counts there, -1 for none */
    const int32_t *whose;    /* by spot: for whom, -1 for everybody */
    const int32_t *kind;     /* by piece */
    const int32_t *row;      /* by piece, the first of those that are like it */
    num amounts, columns, spots;  /* columns are -1 where pairs of a value and an amount do not count */
};

static num square_root(u64 n) {
    u64 root = (u64)__builtin_sqrt((double)n);
    while (root * root > n) root--;
    while ((root + 1) * (root + 1) <= n) root++;
    return (num)root;
}

/* What those who decide have, of all that may matter: the same for all options of a decision. */
struct Amounts { num count; uint32_t of[MOST_AMOUNTS + MOST_LAID + 1]; };

static inline uint32_t trait(u64 code, u64 sort, u64 value) {
    return (uint32_t)(mixed(code * 0x100000001B3ULL + sort * 0x10001 + value) & (MANNERED - 1));
}

static void amounts_of(const Manner *m, const State *s, num seat, Amounts *a) {
    a->count = 0;
    a->of[a->count++] = (uint32_t)(64 << 8 | least(greatest(s->round, 0), MOST_ROUNDS));
    for (num i = 0; i < m->amounts; i++) {
        const int32_t *one = m->amount + 2 * (i * PLAYERS + seat);
        if (one[0] < 0) continue;
        num much = field_at(s, one[0], one[1]);
        a->of[a->count++] = (uint32_t)((65 + i) << 8 | least(greatest(much, 0), SO_MUCH));
    }
    if (m->columns <= 0) return;
    num lying[MOST_LAID] = {0};
    for (num p = 0; p < PIECES; p++) {
        num spot = lies_at(s, p), column = m->laid[m->kind[p] * m->spots + spot];
        if (column >= 0 && (m->whose[spot] < 0 || m->whose[spot] == seat)) lying[column]++;
    }
    for (num i = 0; i < m->columns; i++)
        a->of[a->count++] = (uint32_t)((65 + MOST_AMOUNTS + i) << 8 | (lying[i] < 8 ? lying[i] : least(7 + lying[i] / 8, 15)));
}

static inline uint32_t pair(u64 value, u64 amount) {
    return (uint32_t)(MANNERED + (mixed(value * 0x100000001B3ULL + amount) & (PAIRED - 1)));
}

/* What each value of an option means while one has so much of this or that. A piece counts as those like it. */
static num pairs_of(const Manner *m, const State *s, const int32_t *row, const Amounts *a, uint32_t *found) {
    if (m->columns < 0) return 0;
    num line = m->first[s->pc] + row[0], count = 0, pieces = m->length[line] ? piece_columns(s, row) : 0;
    for (num i = 1; i <= m->length[line]; i++) {
        u64 value = row[i] >= 0 && pieces >> i & 1 ? (u64)m->row[row[i]] + (1 << 20) : (u64)(uint32_t)row[i];
        value = mixed((u64)(uint32_t)m->code[line] * 64 + (u64)i + value * 0x9FB21C651E98DF25ULL);
        found[count++] = pair(value, 0);
        for (num k = 0; k < a->count; k++) found[count++] = pair(value, a->of[k]);
    }
    return count;
}

/* What an option is: the traits that it has by its own values, how many. */
static num own_traits(const Manner *m, num at, const int32_t *row, uint32_t *found) {
    num line = m->first[at] + row[0], count = 0;
    u64 code = (u64)(uint32_t)m->code[line], all = code;
    found[count++] = trait(code, 0, 0);
    for (num i = 1; i <= m->length[line]; i++) {
        found[count++] = trait(code, (u64)i, (u64)(uint32_t)row[i]);
        all = mixed(all ^ (u64)(uint32_t)row[i]);
    }
    if (m->length[line] > 1) found[count++] = trait(all, 40, 0);
    return count;
}

/* The traits of an option: how many. */
static num traits_of(const Manner *m, const State *s, const int32_t *row, const Amounts *a, uint32_t *found) {
    u64 code = (u64)(uint32_t)m->code[m->first[s->pc] + row[0]];
    num count = own_traits(m, s->pc, row, found);
    for (num i = 0; i < a->count; i++) found[count++] = trait(code, a->of[i] >> 8, a->of[i] & 255);
    return count + pairs_of(m, s, row, a, found + count);
}

/* What everything else weighs for all options of an entry alike. */
static num weight_besides(const Manner *m, num at, const int32_t *row, const Amounts *a) {
    u64 code = (u64)(uint32_t)m->code[m->first[at] + row[0]];
    num sum = 0;
    for (num i = 0; i < a->count; i++) sum += m->weights[trait(code, a->of[i] >> 8, a->of[i] & 255)];
    return sum;
}

/* How likely each of the options in the context is, against the likeliest, which has 65536; the sum. */
static num likely_so(Context *x, const Manner *m, const State *s, num seat, int32_t *likely) {
    uint32_t traits[MOST_TRAITS_OF_ONE];
    Amounts a;
    num best = 0, total = 0, besides = 0;
    amounts_of(m, s, seat, &a);
    for (num i = 0; i < x->count; i++) {
        const int32_t *row = x->rows + i * STRIDE;
        if (!i || row[0] != row[-STRIDE]) besides = weight_besides(m, s->pc, row, &a);
        num n = own_traits(m, s->pc, row, traits), sum = besides;
        n += pairs_of(m, s, row, &a, traits + n);
        for (num k = 0; k < n; k++) sum += m->weights[traits[k]];
        likely[i] = (int32_t)sum;
        if (!i || sum > best) best = sum;
    }
    for (num i = 0; i < x->count; i++) total += likely[i] = m->rarely[least(best - likely[i], POWERS - 1)];
    return total;
}

/* Which of the options in the context is taken, by chance. */
static num taken_so(Context *x, const Manner *m, const State *s, num seat, u64 *stream) {
    int32_t likely[LONGEST_MENU];
    if (x->count == 1) return 0;
    if (x->count > LONGEST_MENU) return drawn(stream, x->count);
    num left = drawn(stream, likely_so(x, m, s, seat, likely)), i = 0;
    while (left >= likely[i]) left -= likely[i++];
    return i;
}

/* What part of the attention each of the options in the context is due: all together WHOLE. More even than how likely
   they are, for who looks ahead shall see what is seldom taken, too. */
static void shares_so(Context *x, const Manner *m, const State *s, num seat, int32_t *shares) {
    num total = 0;
    likely_so(x, m, s, seat, shares);
    for (num i = 0; i < x->count; i++) total += shares[i] = (int32_t)square_root((u64)shares[i] << 16);
    for (num i = 0; i < x->count; i++) shares[i] = (int32_t)(((num)shares[i] << 16) / total);
}
