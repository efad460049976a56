/* ---- a manner: how those tend to decide who do well; `ruledsl.bots.manner` decides alike in Python ----

   Each option has some traits: what it is, each of its values, and what it is while who decides has so much of this or
   that. What all of them weigh tells how often it is taken. */

enum { POWERS = 4096,  /* see bots/judge.py */
       MANNERED = 1 << 13, PAIRED = 1 << 16, MOST_AMOUNTS = 40, MOST_LAID = 24, MOST_PARTS = 32, MOST_PRINTS = 3, SORTS = 1 + MOST_PRINTS, LEAST_SHARE = 600, SO_MUCH = 6, MOST_ROUNDS = 15, LONGEST_MENU = 1024,
       MOST_TOLD_OF_ONE = MOST_AMOUNTS + MOST_LAID + MOST_PARTS + 2, MOST_TRAITS_OF_ONE = STRIDE + 4 + MOST_TOLD_OF_ONE * (SORTS * STRIDE + 1) };

struct Manner {
    const int32_t *first;    /* by decision of the rules: its first line in what follows; there are three before it */
    const int32_t *code;     /* by entry of a menu: what it is called */
    const int32_t *length;   /* by entry: how many values it has; one, where they are chosen step by step */
    const int32_t *amount;   /* by number and player: its field and its place there, which are -1 for none */
    const int32_t *weights;
    const int32_t *rarely;   /* e to the power of minus so many parts of UNIT, in parts of 65536 */
    const int32_t *laid;     /* by sort of piece and spot: in which column it counts there, -1 for none */
    const int32_t *whose;    /* by spot: for whom, -1 for everybody */
    const int32_t *sorts;    /* by piece its kind, and those of the kind with the same words on them, SORTS or -1 */
    const int32_t *row;      /* by piece, the first of those that are like it */
    num amounts, columns;    /* columns are -1 where pairs of a value and an amount do not count */
    num apart, spots;        /* the last of the columns, which are for parts of kinds */
};

static num square_root(u64 n) {
    u64 root = (u64)__builtin_sqrt((double)n);
    while (root * root > n) root--;
    while ((root + 1) * (root + 1) <= n) root++;
    return (num)root;
}

/* What those who decide have, of all that may matter: the same for all options of a decision. */
struct Amounts { num count, whole; uint32_t of[MOST_TOLD_OF_ONE]; };

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
    a->whole = a->count;
    if (m->columns <= 0) return;
    num lying[MOST_LAID + MOST_PARTS] = {0}, sorts = m->apart ? SORTS : 1;
    for (num p = 0; p < PIECES; p++) {
        num spot = lies_at(s, p);
        if (m->whose[spot] >= 0 && m->whose[spot] != seat) continue;
        for (num i = 0; i < sorts; i++) {
            num sort = m->sorts[p * SORTS + i], column = sort >= 0 ? m->laid[sort * m->spots + spot] : -1;
            if (column >= 0) lying[column]++;
        }
    }
    for (num i = 0; i < m->columns; i++)
        a->of[a->count++] = (uint32_t)((65 + MOST_AMOUNTS + i) << 8 | (lying[i] < 8 ? lying[i] : least(7 + lying[i] / 8, 15)));
    a->whole = a->count - m->apart;
}

static inline uint32_t pair(u64 value, u64 amount) {
    return (uint32_t)(MANNERED + (mixed(value * 0x100000001B3ULL + amount) & (PAIRED - 1)));
}

static num pairs_with(u64 value, const uint32_t *amounts, num count, uint32_t *found) {
    *found++ = pair(value, 0);
    for (num k = 0; k < count; k++) *found++ = pair(value, amounts[k]);
    return count + 1;
}

/* What each value of an option means while one has so much of this or that. A piece counts as those like it, and by each
   word that is printed on it; only those words go with parts of kinds, or there would be no end. */
static num pairs_of(const Manner *m, const State *s, const int32_t *row, const Amounts *a, uint32_t *found) {
    if (m->columns < 0) return 0;
    num line = m->first[s->pc] + row[0], count = 0, pieces = m->length[line] ? piece_columns(s, row) : 0;
    for (num i = 1; i <= m->length[line]; i++) {
        num piece = row[i] >= 0 && pieces >> i & 1;
        u64 code = (u64)(uint32_t)m->code[line] * 64 + (u64)i;
        u64 value = piece ? (u64)m->row[row[i]] + (1 << 20) : (u64)(uint32_t)row[i];
        count += pairs_with(mixed(code + value * 0x9FB21C651E98DF25ULL), a->of, a->whole, found + count);
        for (num k = 1; piece && m->apart && k < SORTS; k++) {
            num sort = m->sorts[row[i] * SORTS + k];
            if (sort < 0) continue;
            value = mixed(code + (u64)(sort + (1 << 21)) * 0x9FB21C651E98DF25ULL);
            count += pairs_with(value, a->of, a->count, found + count);
        }
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

/* What part of the attention each of the options in the context is due: all together WHOLE. It is how likely they are, and
   a little for each, for who looks ahead shall see what is seldom taken, too. */
static void shares_so(Context *x, const Manner *m, const State *s, num seat, int32_t *shares) {
    num total = 0;
    likely_so(x, m, s, seat, shares);
    for (num i = 0; i < x->count; i++) total += shares[i] += LEAST_SHARE;
    for (num i = 0; i < x->count; i++) shares[i] = (int32_t)(((num)shares[i] << 16) / total);
}
