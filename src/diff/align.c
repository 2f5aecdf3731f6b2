/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the edit distance by dynamic programming, then turns what was removed here and added there
 * into moves.
 */
#include "diff/align.h"

/* The order of the data ops matters most, so synchronisation is aligned around it. */
enum { WORK_WEIGHT = 1000, SYNC_WEIGHT = 2 };

typedef enum step { MATCH, CHANGE, REMOVE, ADD } step;

/* Covers the entries between those that both lists begin and end with. */
typedef struct table {
    const swp_diff_words *words;
    size_t begin; /* entries that both begin with */
    size_t rows;  /* entries of A between */
    size_t columns;
    unsigned char *steps; /* [row * (columns + 1) + column]: the best step from there */
} table;

static bool are_equal(const swp_diff_words *words, size_t a, size_t b)
{
    return words->a[a] == words->b[b];
}

static void trim(table *t)
{
    const swp_diff_words *w = t->words;
    const size_t least = w->a_count < w->b_count ? w->a_count : w->b_count;
    size_t end = 0;
    while (t->begin < least && are_equal(w, t->begin, t->begin))
        t->begin++;
    while (t->begin + end < least && are_equal(w, w->a_count - 1 - end, w->b_count - 1 - end))
        end++;
    t->rows = w->a_count - t->begin - end;
    t->columns = w->b_count - t->begin - end;
}

static const swp_diff_word *word_of_a(const table *t, size_t row)
{
    return &t->words->items[t->words->a[t->begin + row]];
}

static const swp_diff_word *word_of_b(const table *t, size_t column)
{
    return &t->words->items[t->words->b[t->begin + column]];
}

static int weight(const swp_diff_word *word)
{
    return swp_diff_is_work(word) ? WORK_WEIGHT : SYNC_WEIGHT;
}

/* A data op changes only where one schedule has too many of it and the other too few. */
static bool may_change(const swp_diff_word *a, const swp_diff_word *b)
{
    if (!swp_diff_same_op(a, b))
        return false;
    return !swp_diff_is_work(a) || (a->in_a > a->in_b && b->in_b > b->in_a);
}

/* Returns the weight of what is left from a cell on, and sets the step that it begins with. */
static int best_step(const table *t, size_t row, size_t column, const int *here, const int *below,
                     unsigned char *out)
{
    const swp_diff_word *a = row < t->rows ? word_of_a(t, row) : NULL;
    const swp_diff_word *b = column < t->columns ? word_of_b(t, column) : NULL;
    int best = 0;
    *out = MATCH;
    if (a && a == b)
        return below[column + 1];
    if (a) {
        best = below[column] + weight(a);
        *out = REMOVE;
    }
    if (b && (!a || here[column + 1] + weight(b) < best)) {
        best = here[column + 1] + weight(b);
        *out = ADD;
    }
    /* A change weighs half as much again as removing, which is less than removing and adding. */
    const int change = a && b ? below[column + 1] + weight(a) * 3 / 2 : 0;
    if (a && b && change <= best && may_change(a, b)) {
        best = change;
        *out = CHANGE;
    }
    return best;
}

static swp_status fill(swp_context *ctx, table *t)
{
    const size_t width = t->columns + 1;
    int *here = NULL;
    int *below = NULL;
    SWP_TRY(SWP_TAKE(ctx, width, &here));
    SWP_TRY(SWP_TAKE(ctx, width, &below));
    SWP_TRY(SWP_TAKE(ctx, (t->rows + 1) * width, &t->steps));
    for (size_t row = t->rows + 1; row-- > 0;) {
        for (size_t column = width; column-- > 0;)
            here[column] = best_step(t, row, column, here, below, &t->steps[row * width + column]);
        int *const done = here;
        here = below;
        below = done;
    }
    return SWP_OK;
}

static swp_status add_row(swp_context *ctx, swp_diff_phase *rows, swp_difference difference,
                          size_t a, size_t b)
{
    const bool in_a = difference != SWP_DIFF_ADDED;
    const bool in_b = difference != SWP_DIFF_REMOVED;
    const swp_diff_row row = {
        .difference = difference, .a = in_a ? (int)a : -1, .b = in_b ? (int)b : -1, .other = -1};
    return SWP_PUSH(ctx, rows, row);
}

/* Lists the rows along the path of best steps, with those that both lists begin and end with. */
static swp_status follow(swp_context *ctx, const table *t, swp_diff_phase *out)
{
    static const swp_difference of_step[] = {
        [MATCH] = SWP_DIFF_ALIKE,
        [CHANGE] = SWP_DIFF_CHANGED,
        [REMOVE] = SWP_DIFF_REMOVED,
        [ADD] = SWP_DIFF_ADDED,
    };
    const size_t width = t->columns + 1;
    size_t a = 0;
    size_t b = 0;
    while (a < t->words->a_count || b < t->words->b_count) {
        const bool between =
            a >= t->begin && b >= t->begin && (a < t->begin + t->rows || b < t->begin + t->columns);
        const step next = between ? t->steps[(a - t->begin) * width + (b - t->begin)] : MATCH;
        SWP_TRY(add_row(ctx, out, of_step[next], a, b));
        a += next != ADD;
        b += next != REMOVE;
    }
    return SWP_OK;
}

static int word_of_row(const swp_diff_words *words, const swp_diff_row *row)
{
    return row->a >= 0 ? words->a[row->a] : words->b[row->b];
}

static bool is_compute_of_both(const swp_diff_words *words, const swp_diff_row *row)
{
    return row->a >= 0 && row->b >= 0 &&
           words->items[word_of_row(words, row)].op.role == SWP_COMPUTE;
}

/*
 * Looks from a removed row in one direction for the nearest added row of the same op. The meaning
 * of a wait or barrier depends on where it stands, so the search for one ends at the next COMPUTE
 * that stays.
 */
static size_t find_added(const swp_diff_words *words, const swp_diff_phase *rows, size_t from,
                         bool down)
{
    const int word = word_of_row(words, &rows->items[from]);
    const bool is_work = swp_diff_is_work(&words->items[word]);
    for (size_t at = from; down ? at + 1 < rows->count : at > 0;) {
        at = down ? at + 1 : at - 1;
        const swp_diff_row *row = &rows->items[at];
        if (row->difference == SWP_DIFF_ADDED && word_of_row(words, row) == word)
            return at;
        if (!is_work && is_compute_of_both(words, row))
            break;
    }
    return rows->count;
}

static void pair(swp_diff_phase *rows, size_t left, size_t moved)
{
    swp_diff_row *from = &rows->items[left];
    swp_diff_row *to = &rows->items[moved];
    *from = (swp_diff_row){SWP_DIFF_LEFT, from->a, to->b, (int)moved, NULL, NULL};
    *to = (swp_diff_row){SWP_DIFF_MOVED, from->a, to->b, (int)left, NULL, NULL};
}

static void find_moves(const swp_diff_words *words, swp_diff_phase *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].difference != SWP_DIFF_REMOVED)
            continue;
        const size_t above = find_added(words, rows, i, false);
        const size_t below = find_added(words, rows, i, true);
        const bool nearer_above =
            above < rows->count && (below == rows->count || i - above <= below - i);
        if (nearer_above || below < rows->count)
            pair(rows, i, nearer_above ? above : below);
    }
}

static size_t count_differences(const swp_diff_phase *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const swp_difference difference = rows->items[i].difference;
        count += difference != SWP_DIFF_ALIKE && difference != SWP_DIFF_LEFT;
    }
    return count;
}

swp_status swp_diff_align(swp_context *ctx, const swp_diff_words *words, swp_diff_phase *out)
{
    table t = {.words = words};
    *out = (swp_diff_phase){0};
    trim(&t);
    SWP_TRY(fill(ctx, &t));
    SWP_TRY(follow(ctx, &t, out));
    find_moves(words, out);
    out->differences = count_differences(out);
    return SWP_OK;
}
