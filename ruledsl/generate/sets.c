/* ---- sets of one word ---- */

static inline set1 union1(set1 a, set1 b) { return a | b; }
static inline set1 common1(set1 a, set1 b) { return a & b; }
static inline set1 minus1(set1 a, set1 b) { return a & ~b; }
static inline set1 not1(set1 a) { return ~a; }
static inline num same1(set1 a, set1 b) { return a == b; }
static inline num some1(set1 a) { return a != 0; }
static inline void add1(set1 *a, num i) { *a |= 1ULL << i; }
typedef set1 walk1;
static inline walk1 begin1(set1 a) { return a; }
static inline num more1(const walk1 *m) { return *m != 0; }
static inline num next1(walk1 *m) { num i = __builtin_ctzll(*m); *m &= *m - 1; return i; }
static inline num low1(set1 a) { return __builtin_ctzll(a); }
static inline num lowest1(set1 a) { return a ? __builtin_ctzll(a) : -1; }
static inline num highest1(set1 a) { return a ? 63 - __builtin_clzll(a) : -1; }
static inline num size1(set1 a) { return __builtin_popcountll(a); }
static inline set1 just1(num i) { return 1ULL << i; }
static inline set1 only1(num i) { return i >= 0 ? 1ULL << i : 0; }
static inline num has1(num i, set1 a) { return (num)(a >> i & 1); }
static inline num holds1(num i, set1 a) { return i >= 0 && i < 64 ? (num)(a >> i & 1) : 0; }
static inline set1 below1(num n) { return n >= 64 ? ~0ULL : n <= 0 ? 0 : (1ULL << n) - 1; }
static inline set1 span1(num low, num high) { return high >= low ? below1(high + 1) & ~below1(low) : 0; }

/* The member with k smaller ones. */
static inline num nth1(set1 a, num k) {
#ifdef __BMI2__
    return __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << k, a));
#else
    while (k--) a &= a - 1;
    return low1(a);
#endif
}

/* The bits of a word that stand at those of another, next to one another. */
static inline u64 gathered(u64 a, u64 at) {
#ifdef __BMI2__
    return __builtin_ia32_pext_di(a, at);
#else
    u64 found = 0;
    for (int i = 0; at; at &= at - 1, i++) found |= (a >> __builtin_ctzll(at) & 1) << i;
    return found;
#endif
}

static set1 collect1(list l) {
    set1 found = 0;
    for (num i = 0; i < l.n; i++)
        if (l.p[i] >= 0) found |= just1(l.p[i]);
    return found;
}

static inline set1 bag_kinds1(list l) {
    set1 found = 0;
    for (num i = 0; i < l.n; i++) found |= (u64)(l.p[i] > 0) << i;
    return found;
}

static list members1(Context *x, set1 a) {
    list l = list_open(x);
    for (; a; a &= a - 1) list_push(x, &l, low1(a));
    return l;
}

static list without_set1(Context *x, list a, set1 gone) {
    list l = list_open(x);
    for (num i = 0; i < a.n; i++)
        if (!holds1(a.p[i], gone)) list_push(x, &l, a.p[i]);
    return l;
}

static set1 reach1(const set1 *near, set1 start, set1 allowed, num within) {
    set1 found = start, edge = start;
    while (edge && within) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
        within--;
    }
    return found;
}

/* Whether what is reached from a start has a neighbour, beyond it, that is wanted. */
static num touches1(const set1 *near, set1 start, set1 allowed, set1 wanted) {
    set1 found = start, edge = start, met = 0, sure = wanted & ~allowed & ~start;
    while (edge) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        if (around & sure) return 1;
        met |= around;
        edge = around & allowed & ~found;
        found |= edge;
    }
    return (met & wanted & ~found) != 0;
}

static num joined1(const set1 *near, set1 one, set1 other, set1 allowed) {
    set1 goal = other & allowed, found = one & allowed, edge = found;
    while (edge && goal) {
        if (found & goal) return 1;
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
    }
    return 0;
}

/* Whether what is reached from a start has a member that is wanted. */
static num meets1(const set1 *near, set1 start, set1 allowed, set1 wanted) {
    set1 found = start, edge = start;
    while (edge && !(found & wanted)) {
        set1 around = 0;
        for (; edge; edge &= edge - 1) around |= near[low1(edge)];
        edge = around & allowed & ~found;
        found |= edge;
    }
    return (found & wanted) != 0;
}

/* What is reached from a start through allowed spaces: what was found before holds as long as all of it is allowed,
   and grows from there. `begun` is where it began, if that may change. It goes on until something wanted is found. */
static inline void spread1(
    const set1 *near, set1 *found, set1 *around, set1 *begun, set1 start, set1 allowed, set1 wanted) {
    if (*found & ~allowed || (begun && *begun & ~start)) *found = *around = 0;
    if (begun) *begun = start;
    for (set1 edge; (edge = (start | *around) & allowed & ~*found) && !(*found & wanted);) {
        *found |= edge;
        for (; edge; edge &= edge - 1) *around |= near[low1(edge)];
    }
}

static num groups1(const set1 *near, set1 rest) {
    num count = 0;
    while (rest) {
        rest &= ~reach1(near, rest & -rest, rest, -1);
        count++;
    }
    return count;
}

/* ---- sets of several words ---- */

static inline num in_words(num i, const u64 *w) { return (num)(w[i >> 6] >> (i & 63) & 1); }

/* Of a set that is an array of words: asked where it lies, for as an argument all of it would be copied. */
#define IN_ARRAY(i, a) in_words(i, (a).w)

/* Large ones are functions that are called, so that the compiler is quick and the code small. */
#define SMALL static inline
#define LARGE static __attribute__((noinline, unused))

/* A set of W words as an array of them, or in vectors of V words: those behind W are always 0. Such a set is never put
   together word by word where it is read as a whole soon after, which a processor is slow at. */
#define DEFINE_WORDS(W, HOW) \
typedef struct { u64 w[W]; } set##W; \
HOW set##W union##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] |= b.w[i]; return a; } \
HOW set##W common##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= b.w[i]; return a; } \
HOW set##W minus##W(set##W a, set##W b) { for (int i = 0; i < W; i++) a.w[i] &= ~b.w[i]; return a; } \
HOW set##W not##W(set##W a) { for (int i = 0; i < W; i++) a.w[i] = ~a.w[i]; return a; } \
HOW num some##W(set##W a) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i]; return d != 0; } \
HOW num same##W(set##W a, set##W b) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i] ^ b.w[i]; return d == 0; } \
HOW num within##W(set##W a, set##W b) { u64 d = 0; for (int i = 0; i < W; i++) d |= a.w[i] & ~b.w[i]; return d == 0; } \
HOW set##W just##W(num i) { \
    set##W a; for (int j = 0; j < W; j++) a.w[j] = i >> 6 == j ? 1ULL << (i & 63) : 0; return a; } \
static inline void add##W(set##W *a, num i) { a->w[i >> 6] |= 1ULL << (i & 63); } \
static inline void drop##W(set##W *a, num i) { a->w[i >> 6] &= ~(1ULL << (i & 63)); } \
typedef struct { set##W a; int i; } walk##W; \
static inline walk##W begin##W(set##W a) { return (walk##W){a, 0}; } \
static inline num more##W(walk##W *m) { while (m->i < W && !m->a.w[m->i]) m->i++; return m->i < W; } \
static inline num next##W(walk##W *m) { \
    u64 w = m->a.w[m->i]; m->a.w[m->i] = w & (w - 1); return 64 * m->i + __builtin_ctzll(w); }

typedef u64 vector4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef u64 vector8 __attribute__((vector_size(64), aligned(8), may_alias));
static const vector4 PLACES4 = {0, 1, 2, 3};
static const vector8 PLACES8 = {0, 1, 2, 3, 4, 5, 6, 7};
static inline vector4 each4(u64 x) { return (vector4){x, x, x, x}; }
static inline vector8 each8(u64 x) { return (vector8){x, x, x, x, x, x, x, x}; }
#ifdef __AVX__  /* one instruction; the compiler would look at word after word */
typedef long long four __attribute__((vector_size(32)));
static inline num any_word4(vector4 a) { return !__builtin_ia32_ptestz256((four)a, (four)a); }
static inline num any_word8(vector8 a) {
    vector4 halves[2];
    memcpy(halves, &a, sizeof a);
    return any_word4(halves[0] | halves[1]);
}
#else
static inline num any_word4(vector4 a) { return (a[0] | a[1] | a[2] | a[3]) != 0; }
static inline num any_word8(vector8 a) { return (a[0] | a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7]) != 0; }
#endif

#define DEFINE_VECTORS(W, V) \
typedef struct { vector##V w; } set##W; \
static inline set##W union##W(set##W a, set##W b) { return (set##W){a.w | b.w}; } \
static inline set##W common##W(set##W a, set##W b) { return (set##W){a.w & b.w}; } \
static inline set##W minus##W(set##W a, set##W b) { return (set##W){a.w & ~b.w}; } \
static inline set##W not##W(set##W a) { return (set##W){~a.w & (vector##V)(PLACES##V < each##V(W))}; } \
static inline num some##W(set##W a) { return any_word##V(a.w); } \
static inline num same##W(set##W a, set##W b) { return !any_word##V(a.w ^ b.w); } \
static inline num within##W(set##W a, set##W b) { return !any_word##V(a.w & ~b.w); } \
static inline set##W just##W(num i) { \
    return (set##W){(vector##V)(PLACES##V == each##V((u64)i >> 6)) & each##V(1ULL << (i & 63))}; } \
static inline void add##W(set##W *a, num i) { a->w |= just##W(i).w; } \
static inline void drop##W(set##W *a, num i) { a->w &= ~just##W(i).w; } \
/* In one line of the cache: else what was written as a whole could not be read by the word at once. */ \
typedef struct { set##W a __attribute__((aligned(64))); u64 left; int i; } walk##W; \
static inline walk##W begin##W(set##W a) { return (walk##W){a, a.w[0], 0}; } \
static inline num more##W(walk##W *m) { \
    while (!m->left && m->i < W - 1) m->left = m->a.w[++m->i]; \
    return m->left != 0; } \
static inline num next##W(walk##W *m) { \
    u64 w = m->left; m->left = w & (w - 1); return 64 * m->i + __builtin_ctzll(w); }

#define DEFINE_SET(W, HOW) \
/* In few words nothing is looked up by an index: so a set need not be in memory. */ \
static inline num has##W(num i, set##W a) { \
    u64 w = a.w[0]; \
    if (W > 3) w = a.w[i >> 6]; \
    else for (int j = 1; j < W; j++) w = i >> 6 == j ? a.w[j] : w; \
    return (num)(w >> (i & 63) & 1); } \
static inline num holds##W(num i, set##W a) { return i >= 0 && i < 64 * W ? has##W(i, a) : 0; } \
HOW num size##W(set##W a) { num n = 0; for (int i = 0; i < W; i++) n += __builtin_popcountll(a.w[i]); return n; } \
HOW num lowest##W(set##W a) { for (int i = 0; i < W; i++) if (a.w[i]) return 64 * i + __builtin_ctzll(a.w[i]); return -1; } \
HOW num highest##W(set##W a) { for (int i = W - 1; i >= 0; i--) if (a.w[i]) return 64 * i + 63 - __builtin_clzll(a.w[i]); return -1; } \
HOW set##W only##W(num i) { return i >= 0 ? just##W(i) : (set##W){{0}}; } \
HOW set##W from##W(u64 low) { set##W a = {{0}}; a.w[0] = low; return a; } \
HOW set##W span##W(num low, num high) { \
    set##W a = {{0}}; for (int i = 0; i < W; i++) a.w[i] = span1(low - 64 * i, high - 64 * i); return a; } \
static inline num nth##W(set##W a, num k) { \
    u64 word = a.w[0], rest = (u64)k, count = (u64)__builtin_popcountll(word); \
    num first = 0; /* without a branch, which nobody could foretell */ \
    for (int i = 1; i < W; i++) { \
        u64 behind = (u64)k >= count, left = (u64)k - count; /* that is very large where it is not behind */ \
        word ^= (word ^ a.w[i]) & -behind, rest = left < rest ? left : rest, first += (num)(behind << 6); \
        count += (u64)__builtin_popcountll(a.w[i]); } \
    return first + nth1(word, (num)rest); } \
HOW set##W collect##W(list l) { \
    set##W a = {{0}}; for (num i = 0; i < l.n; i++) if (l.p[i] >= 0) add##W(&a, l.p[i]); return a; } \
HOW set##W bag_kinds##W(list l) { \
    set##W a = {{0}}; for (num i = 0; i < l.n; i++) if (l.p[i] > 0) add##W(&a, i); return a; } \
HOW list members##W(Context *x, set##W a) { \
    list l = list_open(x); for (walk##W m = begin##W(a); more##W(&m);) list_push(x, &l, next##W(&m)); return l; } \
HOW set##W shift##W(set##W a, int by) { \
    set##W b = {{0}}; int words = (by < 0 ? -by : by) / 64, bits = (by < 0 ? -by : by) % 64; \
    for (int i = 0; i < W; i++) { \
        int j = by < 0 ? i + words : i - words, k = by < 0 ? j + 1 : j - 1; \
        u64 near = j >= 0 && j < W ? a.w[j] : 0, far = k >= 0 && k < W ? a.w[k] : 0; \
        b.w[i] = !bits ? near : by < 0 ? near >> bits | far << (64 - bits) : near << bits | far >> (64 - bits); } \
    return b; } \
HOW list without_set##W(Context *x, list a, set##W gone) { \
    list l = list_open(x); for (num i = 0; i < a.n; i++) if (!holds##W(a.p[i], gone)) list_push(x, &l, a.p[i]); return l; } \
HOW set##W reach##W(const set##W *near, set##W start, set##W allowed, num within) { \
    set##W found = start, edge = start; \
    while (within-- && some##W(edge)) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return found; } \
HOW num touches##W(const set##W *near, set##W start, set##W allowed, set##W wanted) { \
    set##W found = start, edge = start, met = {{0}}, sure = minus##W(minus##W(wanted, allowed), start); \
    while (some##W(edge)) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        if (some##W(common##W(around, sure))) return 1; \
        met = union##W(met, around); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return some##W(minus##W(common##W(met, wanted), found)); } \
HOW num joined##W(const set##W *near, set##W one, set##W other, set##W allowed) { \
    set##W goal = common##W(other, allowed), found = common##W(one, allowed), edge = found; \
    if (!some##W(goal)) return 0; \
    while (some##W(edge)) { \
        if (some##W(common##W(found, goal))) return 1; \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return 0; } \
HOW num meets##W(const set##W *near, set##W start, set##W allowed, set##W wanted) { \
    set##W found = start, edge = start; \
    while (some##W(edge) && !some##W(common##W(found, wanted))) { \
        set##W around = {{0}}; \
        for (walk##W m = begin##W(edge); more##W(&m);) around = union##W(around, near[next##W(&m)]); \
        edge = minus##W(common##W(around, allowed), found); \
        found = union##W(found, edge); } \
    return some##W(common##W(found, wanted)); } \
HOW void spread##W( \
    const set##W *near, set##W *found, set##W *around, set##W *begun, set##W start, set##W allowed, set##W wanted) { \
    if (!within##W(*found, allowed) || (begun && !within##W(*begun, start))) \
        *found = *around = (set##W){{0}}; \
    if (begun) *begun = start; \
    for (;;) { \
        set##W edge = minus##W(common##W(union##W(start, *around), allowed), *found); \
        if (!some##W(edge) || some##W(common##W(*found, wanted))) return; \
        *found = union##W(*found, edge); \
        for (walk##W m = begin##W(edge); more##W(&m);) *around = union##W(*around, near[next##W(&m)]); } } \
HOW num groups##W(const set##W *near, set##W rest) { \
    num count = 0; \
    while (some##W(rest)) { rest = minus##W(rest, reach##W(near, just##W(lowest##W(rest)), rest, -1)); count++; } \
    return count; }

/* The groups of connected members of sets that are kept, from decision to decision: of each set the spaces of every
   group, and what lies beside it. `base` is the set for which they were made. While effects are tried out members may
   have come; then groups are put together on the way, and not changed. `sure` are all members of groups that have
   two or more wanted spaces beside them: when one change has been made, they still have one. */
#define DEFINE_CLUSTERS(W) \
typedef struct { set##W base, whole[64 * W], border[64 * W]; int16_t of[64 * W]; } clusters##W; \
static void come##W(clusters##W *c, const set##W *near, num at) { \
    set##W whole = just##W(at), border = near[at]; \
    num into = at, most = 0; \
    for (walk##W m = begin##W(common##W(near[at], c->base)); more##W(&m);) { \
        num one = c->of[next##W(&m)]; \
        num size = size##W(c->whole[one]); \
        if (size > most) most = size, into = one; \
        whole = union##W(whole, c->whole[one]), border = union##W(border, c->border[one]); } \
    set##W moved = into == at ? whole : minus##W(whole, c->whole[into]); \
    for (walk##W m = begin##W(moved); more##W(&m);) c->of[next##W(&m)] = (int16_t)into; \
    c->whole[into] = whole, c->border[into] = minus##W(border, whole); \
    add##W(&c->base, at); } \
/* Brings groups up to date; says which spaces belong to groups that are new. */ \
static set##W regroup##W(clusters##W *c, const set##W *near, set##W now) { \
    set##W gone = minus##W(c->base, now), again = minus##W(gone, gone); \
    for (walk##W m = begin##W(gone); more##W(&m);) again = union##W(again, c->whole[c->of[next##W(&m)]]); \
    c->base = minus##W(c->base, again); \
    set##W fresh = minus##W(now, c->base); \
    for (walk##W m = begin##W(fresh); more##W(&m);) come##W(c, near, next##W(&m)); \
    return fresh; } \
static void keep##W(clusters##W *c, num values, const set##W *near, const set##W *now, set##W wanted, \
                    set##W *sure, set##W *before) { \
    num other_ = 0; \
    for (num v = 0; v < values; v++) other_ |= !same##W(c[v].base, now[v]); \
    if (same##W(wanted, *before) && !other_) return; \
    set##W nothing = minus##W(wanted, wanted), check = nothing, all = nothing; \
    set##W other = union##W(minus##W(wanted, *before), minus##W(*before, wanted)); \
    for (walk##W m = begin##W(other); more##W(&m);) check = union##W(check, near[next##W(&m)]); \
    for (num v = 0; v < values; v++) { \
        if (!same##W(c[v].base, now[v])) check = union##W(check, regroup##W(c + v, near, now[v])); \
        all = union##W(all, now[v]); } \
    *before = wanted, *sure = common##W(*sure, all); \
    for (num v = 0; v < values; v++) { \
        set##W rest = common##W(check, now[v]); \
        while (some##W(rest)) { \
            num one = c[v].of[lowest##W(rest)]; \
            rest = minus##W(rest, c[v].whole[one]); \
            set##W free = minus##W(common##W(c[v].border[one], wanted), now[v]); \
            *sure = size##W(free) > 1 ? union##W(*sure, c[v].whole[one]) : minus##W(*sure, c[v].whole[one]); } } } \
/* The spaces whose groups may have no wanted space beside them. */ \
static inline set##W unsure##W(const clusters##W *c, num values, const set##W *now, set##W wanted, set##W sure, \
                               set##W before) { \
    set##W lost = minus##W(before, wanted), everything = union##W(sure, not##W(sure)); \
    for (num v = 0; v < values; v++) { \
        if (some##W(minus##W(c[v].base, now[v]))) return everything; \
        lost = union##W(lost, minus##W(now[v], c[v].base)); } \
    return size##W(lost) > 1 ? everything : not##W(sure); } \
static inline set##W cluster##W(const clusters##W *c, const set##W *near, num at, set##W now) { \
    if (some##W(minus##W(c->base, now))) return reach##W(near, just##W(at), now, -1); \
    num known = has##W(at, c->base); \
    set##W found = known ? c->whole[c->of[at]] : just##W(at), border = known ? c->border[c->of[at]] : near[at]; \
    for (;;) { \
        set##W edge = minus##W(common##W(border, now), found); \
        if (!some##W(edge)) return found; \
        num next = lowest##W(edge); \
        known = has##W(next, c->base); \
        found = union##W(found, known ? c->whole[c->of[next]] : just##W(next)); \
        border = union##W(border, known ? c->border[c->of[next]] : near[next]); } } \
/* Whether the group of a space has a neighbour, beyond it, that is wanted. */ \
static num beside_joined##W(const clusters##W *c, const set##W *near, num at, set##W now, set##W wanted) { \
    if (some##W(minus##W(c->base, now))) return touches##W(near, just##W(at), now, wanted); \
    num known = has##W(at, c->base); \
    set##W found = known ? c->whole[c->of[at]] : just##W(at), border = known ? c->border[c->of[at]] : near[at]; \
    set##W free = minus##W(minus##W(wanted, now), just##W(at)); \
    for (;;) { \
        if (some##W(common##W(border, free))) return 1; \
        set##W edge = minus##W(common##W(border, now), found); \
        if (!some##W(edge)) return 0; \
        num next = lowest##W(edge); \
        known = has##W(next, c->base); \
        found = union##W(found, known ? c->whole[c->of[next]] : just##W(next)); \
        border = union##W(border, known ? c->border[c->of[next]] : near[next]); } } \
static inline num beside##W(const clusters##W *c, const set##W *near, num at, set##W now, set##W wanted) { \
    num known = has##W(at, c->base) && !some##W(minus##W(c->base, now)); \
    set##W border = known ? c->border[c->of[at]] : near[at]; \
    return some##W(minus##W(common##W(border, wanted), now)) || beside_joined##W(c, near, at, now, wanted); }

/* A set of W words from one of V words. */
#define DEFINE_FIT(W, V) \
static inline set##W fit##W##_##V(set##V a) { \
    set##W b = {{0}}; for (int i = 0; i < W && i < V; i++) b.w[i] = a.w[i]; return b; }
