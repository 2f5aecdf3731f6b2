/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the entries of a warp role by their turns, in the run that shows a hazard. */
#include "verify/role_turns.h"

#include "ir/entry.h"
#include "ir/roles.h"

/* Turns further from the run than that are a slip themselves. */
enum { FAR = SWP_MOST_SLOTS };

/* An entry of a role, as it may be inserted in one of its lists. */
typedef struct model {
    const swp_role_finder *f;
    const swp_role_list *list;
    swp_op op;
    int usual; /* entries of it for a turn */
} model;

/* Iterations of the run, or of the output tile in which the hazard is. */
static int iterations_of(const swp_role_finder *f)
{
    const swp_hazard *h = f->hazard;
    if (!h->tiles)
        return h->smallest_n;
    return h->tile < h->tile_count ? h->tiles[h->tile] : 0;
}

/* What the entries of a list are for in that run: counted from the base, in so many passes. */
typedef struct stretch {
    int base;
    int passes;
} stretch;

static stretch stretch_of(const swp_role_finder *f, const swp_role_list *list, const swp_op *op)
{
    const swp_loop_shape *loop = &f->schedule->loop;
    const int n = iterations_of(f);
    const bool has_passes = loop->tiles_per_pass > 0 && n >= loop->min_tiles;
    const int passes = has_passes ? (n - loop->min_tiles) / loop->tiles_per_pass : 0;
    if (swp_ir_entry_clock(f->schedule, op) == SWP_TILE_CLOCK)
        return (stretch){0, 1};
    if (list->phase == SWP_KERNEL)
        return (stretch){0, passes};
    if (list->phase == SWP_EPILOGUE)
        return (stretch){passes * loop->tiles_per_pass, 1};
    return (stretch){list->phase == SWP_END || list->phase == SWP_DRAIN ? n : 0, 1};
}

static bool is_same_work(const swp_op *a, const swp_op *b)
{
    const bool meet = a->instances == 0 || b->instances == 0 || (a->instances & b->instances) != 0;
    return a->tag == b->tag && a->object == b->object && meet;
}

typedef struct range {
    int least;
    int most;
} range;

static void widen(range *turns, int turn)
{
    turns->least = turn < turns->least ? turn : turns->least;
    turns->most = turn > turns->most ? turn : turns->most;
}

/* What the role's entries of a list add to the turns for which it has such an entry. */
static void add_list(const model *m, const swp_role_list *list, range *turns)
{
    const int n = iterations_of(m->f);
    for (size_t i = 0; i < list->entries->count; i++) {
        const swp_op *op = &list->entries->items[i].op;
        const stretch s = stretch_of(m->f, list, op);
        const int first = s.base + op->iteration;
        const bool is_near = first >= -FAR && first <= n + FAR;
        if (!is_same_work(op, &m->op) || s.passes == 0 || !is_near)
            continue;
        widen(turns, first);
        widen(turns, first + (s.passes - 1) * m->f->schedule->loop.tiles_per_pass);
    }
}

static bool is_arrival(const swp_op *op)
{
    return op->tag == SWP_TAG_ARRIVE || op->tag == SWP_TAG_ARRIVE_EXPECT;
}

/* An op of the loop is done for all iterations; who arrives does it from the first phase on. */
static range range_of(const model *m)
{
    range turns = {SWP_MOST_ACCESSES, -SWP_MOST_ACCESSES};
    const bool is_of_tile = swp_ir_entry_clock(m->f->schedule, &m->op) == SWP_TILE_CLOCK;
    for (int l = 0; l < m->f->list_count; l++)
        if (m->f->lists[l].stream == m->list->stream)
            add_list(m, &m->f->lists[l], &turns);
    if (is_arrival(&m->op) && turns.least <= turns.most)
        widen(&turns, 0);
    if (!swp_ir_is_work(&m->op))
        return turns;
    widen(&turns, 0);
    widen(&turns, is_of_tile || iterations_of(m->f) == 0 ? 0 : iterations_of(m->f) - 1);
    return turns;
}

/* How many entries of the role are for that turn. */
static int count_for(const model *m, int turn)
{
    const int tiles = m->f->schedule->loop.tiles_per_pass;
    int count = 0;
    for (int l = 0; l < m->f->list_count; l++) {
        const swp_role_list *list = &m->f->lists[l];
        for (size_t i = 0; list->stream == m->list->stream && i < list->entries->count; i++) {
            const swp_op *op = &list->entries->items[i].op;
            const stretch s = stretch_of(m->f, list, op);
            const int from = turn - s.base - op->iteration;
            const bool is_in = from == 0 || (tiles > 0 && from > 0 && from % tiles == 0 &&
                                             from / tiles < s.passes);
            count += s.passes > 0 && is_in && is_same_work(op, &m->op);
        }
    }
    return count;
}

/* Adds a turn if there are fewer entries for it, in all passes, than for others. */
static void add_turn(const model *m, int turn, swp_role_turns *out)
{
    const stretch at = stretch_of(m->f, m->list, &m->op);
    bool is_new = out->count < SWP_MOST_ROLE_TURNS;
    for (int pass = 0; pass < at.passes && is_new; pass++)
        is_new = count_for(m, turn + pass * m->f->schedule->loop.tiles_per_pass) < m->usual;
    if (is_new)
        out->items[out->count++] = turn - at.base;
}

static int usual_count(const model *m, range turns)
{
    int usual = 1;
    for (int turn = turns.least; turn <= turns.most; turn++) {
        const int count = count_for(m, turn);
        usual = count > usual ? count : usual;
    }
    return usual;
}

/* The list's own turns, and how many entries it has for them. */
static int count_in_list(const model *m, range *turns)
{
    int count = 0;
    for (size_t i = 0; i < m->list->entries->count; i++) {
        const swp_op *op = &m->list->entries->items[i].op;
        if (!is_same_work(op, &m->op))
            continue;
        widen(turns, op->iteration);
        count++;
    }
    return count;
}

static bool lacks_one(const model *m, range *turns)
{
    const int tiles = m->f->schedule->loop.tiles_per_pass;
    const int count = count_in_list(m, turns);
    return m->list->phase == SWP_KERNEL && tiles > 1 && count > 0 && (count + 1) % tiles == 0;
}

bool swp_verify_role_lacks_one(const swp_role_finder *f, const swp_role_list *list,
                               const swp_op *op)
{
    range turns = {SWP_MOST_ACCESSES, -SWP_MOST_ACCESSES};
    return lacks_one(&(model){.f = f, .list = list, .op = *op}, &turns);
}

void swp_verify_role_find_turns(const swp_role_finder *f, const swp_role_list *list,
                                const swp_op *op, swp_role_turns *out)
{
    model m = {.f = f, .list = list, .op = *op};
    const range own = range_of(&m);
    const int slots = op->object < 0 ? 1 : f->schedule->objects[op->object].slots;
    *out = (swp_role_turns){0};
    m.usual = usual_count(&m, own);
    for (int turn = own.least; turn <= own.most; turn++)
        add_turn(&m, turn, out);
    range in_list = {SWP_MOST_ACCESSES, -SWP_MOST_ACCESSES};
    if (lacks_one(&m, &in_list)) {
        add_turn(&m, in_list.least - 1, out);
        add_turn(&m, in_list.most + 1, out);
    }
    out->are_missing = out->count > 0;
    if (own.least > own.most) {
        for (int turn = -slots; turn <= iterations_of(f) + slots; turn++)
            add_turn(&m, turn, out);
    } else if (!out->are_missing) {
        add_turn(&m, own.least - 1, out);
        add_turn(&m, own.most + 1, out);
    }
}
