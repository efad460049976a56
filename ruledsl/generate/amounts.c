/* ---- options that differ in an amount alone, as `raise to 40` and `raise to 41` ----

   Where there are many, hardly any would ever be tried, and what else can be done not either. So the least is tried first,
   then the most, then the one halfway, and so on, halving the gaps; the others wait for their turn. */

/* In which round one of so many amounts is tried: 0 is the first. */
static num round_of(num at, num count) {
    if (!at || at == count - 1) return at > 0;
    num low = 0, high = count - 1, round = 2;
    for (;; round++) {
        num middle = (low + high) / 2;
        if (at == middle) return round;
        if (at < middle) high = middle;
        else low = middle;
    }
}

static int same_but_for(const int32_t *one, const int32_t *other, num column) {
    for (num i = 0; i < STRIDE; i++)
        if (i != column && one[i] != other[i]) return 0;
    return 1;
}

/* The round of each option of the context, in the tree's room for them; 0 where all are in the first. */
static const uint8_t *rounds(Tree *t, const State *s) {
    const Context *x = t->x;
    num late = 0;
    if (!AMOUNTS || x->count <= MANY_AMOUNTS) return 0;
    if (x->count > t->round_room) {
        t->round_room = 2 * x->count;
        t->rounds = realloc(t->rounds, (size_t)t->round_room);
    }
    for (num from = 0, to; from < x->count; from = to) {
        const int32_t *row = x->rows + from * STRIDE;
        num column = amount_column(s, row);
        for (to = from + 1; column && to < x->count && same_but_for(row, x->rows + to * STRIDE, column);) to++;
        for (num i = from; i < to; i++)
            t->rounds[i] = to - from > MANY_AMOUNTS ? (uint8_t)round_of(i - from, to - from) : 0;
        if (to - from > MANY_AMOUNTS) late = 1;
    }
    return late ? t->rounds : 0;
}

/* Puts options in the order of their rounds; those of one round stay in the order they had. */
static void in_rounds(const uint8_t *of, int32_t *order, num count) {
    int32_t *kept = malloc(sizeof(int32_t) * (size_t)count);
    num at = 0;
    memcpy(kept, order, sizeof(int32_t) * (size_t)count);
    for (num round = 0; at < count; round++)
        for (num i = 0; i < count; i++)
            if (of[kept[i]] == round) order[at++] = kept[i];
    free(kept);
}
