/* SPDX-License-Identifier: Apache-2.0 */
/* Lists entries that a list of a warp role may lack: such as the role has elsewhere, and what any role may do. */
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"
#include "verify/role_candidates.h"

/* Turns or iterations of an entry that are tried in one place. */
enum { MOST_TURNS = 16 };

typedef struct inserter {
    swp_role_finder *f;
    const swp_role_list *list;
    swp_role_insertion what;
    swp_op_list models; /* each once but for its iteration */
} inserter;

static const swp_role_object *object_of(const inserter *in, const swp_op *op)
{
    return op->object < 0 ? NULL : &in->f->schedule->objects[op->object];
}

/* Whether an entry's iteration means anything. */
static bool has_turn(const inserter *in, const swp_op *op)
{
    const swp_role_object *object = object_of(in, op);
    return swp_ir_is_work(op) || (object && object->kind == SWP_OBJECT_MBARRIER);
}

/* --- Models --- */

static bool is_alike(const swp_op *a, const swp_op *b)
{
    return a->tag == b->tag && a->object == b->object && a->by == b->by &&
           a->instances == b->instances && a->wait_value == b->wait_value && a->bytes == b->bytes &&
           a->slot == b->slot && a->slot_step == b->slot_step && a->to == b->to;
}

static swp_role_insertion kind_of(const swp_op *op)
{
    if (op->tag == SWP_TAG_MATRIX_COMMIT || op->tag == SWP_TAG_BULK_COMMIT)
        return SWP_INSERT_COMMIT;
    if (op->tag == SWP_TAG_FENCE_ASYNC || op->tag == SWP_TAG_MATRIX_FENCE)
        return SWP_INSERT_FENCE;
    return swp_ir_is_work(op) ? SWP_INSERT_WORK : SWP_INSERT_SYNC;
}

static swp_status add_model(inserter *in, swp_op op)
{
    if (in->what != SWP_INSERT_MISSING && kind_of(&op) != in->what)
        return SWP_OK;
    if (swp_ir_is_group_wait(&op))
        op.wait_value = 0; /* the hint's is the largest that does */
    for (size_t i = 0; i < in->models.count; i++)
        if (is_alike(&in->models.items[i], &op))
            return SWP_OK;
    return SWP_PUSH(in->f->ctx, &in->models, op);
}

/* What the role does in any of its lists. */
static swp_status add_own(inserter *in)
{
    const swp_stream *stream = &in->f->schedule->streams[in->list->stream];
    const swp_entry_list *list = NULL;
    for (size_t number = 0; (list = swp_ir_stream_list(stream, number)); number++)
        for (size_t i = 0; i < list->count; i++)
            SWP_TRY(add_model(in, list->items[i].op));
    return SWP_OK;
}

static swp_op sync_op(int tag, swp_threads by, int object)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.by = by;
    op.object = object;
    op.role = SWP_SYNC;
    op.resource = SWP_SCALAR;
    return op;
}

static bool does(const inserter *in, swp_completion completion)
{
    const swp_stream *stream = &in->f->schedule->streams[in->list->stream];
    const swp_entry_list *list = NULL;
    for (size_t number = 0; (list = swp_ir_stream_list(stream, number)); number++)
        for (size_t i = 0; i < list->count; i++) {
            const swp_loop_op *op = swp_ir_loop_op(in->f->schedule, &list->items[i].op);
            if (op && op->completion == completion)
                return true;
        }
    return false;
}

static swp_status add_tags(inserter *in, const int *tags, size_t count, swp_threads by)
{
    for (size_t i = 0; i < count; i++)
        SWP_TRY(add_model(in, sync_op(tags[i], by, -1)));
    return SWP_OK;
}

static swp_status add_fences_and_groups(inserter *in)
{
    static const int of_matrix[] = {SWP_TAG_MATRIX_WAIT, SWP_TAG_MATRIX_COMMIT,
                                    SWP_TAG_MATRIX_FENCE};
    static const int of_stores[] = {SWP_TAG_BULK_WAIT_READ, SWP_TAG_BULK_COMMIT, SWP_TAG_BULK_WAIT};
    static const int fence[] = {SWP_TAG_FENCE_ASYNC};
    static const int of_cluster[] = {SWP_TAG_CLUSTER_ARRIVE, SWP_TAG_CLUSTER_WAIT};
    if (does(in, SWP_COMPLETION_MATRIX_GROUP))
        SWP_TRY(add_tags(in, of_matrix, sizeof of_matrix / sizeof *of_matrix, SWP_ALL_THREADS));
    if (does(in, SWP_COMPLETION_STORE_GROUP))
        SWP_TRY(add_tags(in, of_stores, sizeof of_stores / sizeof *of_stores, SWP_ONE_THREAD));
    if (does(in, SWP_COMPLETION_NONE))
        SWP_TRY(add_tags(in, fence, 1, SWP_ALL_THREADS));
    if (in->f->schedule->cluster > 1)
        SWP_TRY(add_tags(in, of_cluster, 2, SWP_ALL_THREADS));
    return SWP_OK;
}

static bool has_model(const inserter *in, int tag, int object)
{
    for (size_t i = 0; i < in->models.count; i++)
        if (in->models.items[i].tag == tag && in->models.items[i].object == object)
            return true;
    return false;
}

/* A role may wait for an mbarrier that it does not wait for anywhere, and arrive at one for which that is told. */
static swp_status add_objects(inserter *in)
{
    static const int tags[] = {SWP_TAG_WAIT_PHASE, SWP_TAG_ARRIVE};
    for (int i = 0; i < (int)in->f->schedule->object_count; i++)
        for (int t = 0; t < 2; t++) {
            const bool may = tags[t] == SWP_TAG_WAIT_PHASE || i == in->f->object;
            if (in->f->schedule->objects[i].kind != SWP_OBJECT_MBARRIER || !may ||
                has_model(in, tags[t], i))
                continue;
            SWP_TRY(add_model(in, sync_op(tags[t], SWP_ALL_THREADS, i)));
            SWP_TRY(add_model(in, sync_op(tags[t], SWP_ONE_THREAD, i)));
        }
    return SWP_OK;
}

static swp_status list_models(inserter *in)
{
    SWP_TRY(add_own(in));
    SWP_TRY(add_fences_and_groups(in));
    return add_objects(in);
}

/* --- Turns --- */

/* Iterations of the run that shows the hazard, or of the output tile in which it does. */
static int iterations_of(const inserter *in)
{
    const swp_hazard *h = in->f->hazard;
    if (!h->tiles)
        return h->smallest_n;
    return h->tile < h->tile_count ? h->tiles[h->tile] : 0;
}

/* What the entries of a list are for in that run: counted from the base, in so many passes. */
typedef struct stretch {
    int base;
    int passes;
} stretch;

static stretch stretch_of(const inserter *in, const swp_role_list *list, const swp_op *op)
{
    const swp_loop_shape *loop = &in->f->schedule->loop;
    const int n = iterations_of(in);
    const int all = loop->tiles_per_pass > 0 && n >= loop->min_tiles
                        ? (n - loop->min_tiles) / loop->tiles_per_pass
                        : 0;
    if (swp_ir_entry_clock(in->f->schedule, op) == SWP_TILE_CLOCK)
        return (stretch){0, 1};
    if (list->phase == SWP_KERNEL)
        return (stretch){0, all};
    const bool is_behind = list->phase == SWP_END || list->phase == SWP_DRAIN;
    return (stretch){is_behind                     ? n
                     : list->phase == SWP_EPILOGUE ? all * loop->tiles_per_pass
                                                   : 0,
                     1};
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

/* The turns for which the role has such an entry in the run. */
static range range_of(const inserter *in, const swp_op *model)
{
    range turns = {SWP_MOST_ACCESSES, -SWP_MOST_ACCESSES};
    const int tiles = in->f->schedule->loop.tiles_per_pass;
    for (int l = 0; l < in->f->list_count; l++) {
        const swp_role_list *list = &in->f->lists[l];
        for (size_t i = 0; list->stream == in->list->stream && i < list->entries->count; i++) {
            const swp_op *op = &list->entries->items[i].op;
            const stretch s = stretch_of(in, list, op);
            if (!is_same_work(op, model) || s.passes == 0)
                continue;
            const int first = s.base + op->iteration;
            const int last = first + (s.passes - 1) * tiles;
            turns.least = first < turns.least ? first : turns.least;
            turns.most = last > turns.most ? last : turns.most;
        }
    }
    return turns;
}

/* How many of them are for that turn. */
static int count_for(const inserter *in, const swp_op *model, int turn)
{
    const int tiles = in->f->schedule->loop.tiles_per_pass;
    int count = 0;
    for (int l = 0; l < in->f->list_count; l++) {
        const swp_role_list *list = &in->f->lists[l];
        for (size_t i = 0; list->stream == in->list->stream && i < list->entries->count; i++) {
            const swp_op *op = &list->entries->items[i].op;
            const stretch s = stretch_of(in, list, op);
            const int from = turn - s.base - op->iteration;
            const bool is_in = from == 0 || (tiles > 0 && from > 0 && from % tiles == 0 &&
                                             from / tiles < s.passes);
            count += s.passes > 0 && is_in && is_same_work(op, model);
        }
    }
    return count;
}

/* Whether all turns of the entry have fewer than there are of others. */
static bool is_new(const inserter *in, const swp_op *model, stretch at, int usual)
{
    const int tiles = in->f->schedule->loop.tiles_per_pass;
    bool found = false;
    for (int pass = 0; pass < at.passes && !found; pass++)
        found = count_for(in, model, at.base + model->iteration + pass * tiles) >= usual;
    return !found;
}

/* A model, and the turns of it that the list may lack. */
typedef struct offer {
    swp_op op;
    int turns[MOST_TURNS];
    int count;
    int usual;       /* entries of it for a turn */
    bool is_missing; /* the role has it for turns before and after */
} offer;

static void add_turn(const inserter *in, offer *o, stretch at, int turn)
{
    o->op.iteration = turn - at.base;
    if (o->count < MOST_TURNS && is_new(in, &o->op, at, o->usual))
        o->turns[o->count++] = o->op.iteration;
}

/* An op of the loop is done for all iterations. */
static range wanted_range(const inserter *in, const swp_op *model)
{
    range own = range_of(in, model);
    const bool is_of_tile = swp_ir_entry_clock(in->f->schedule, model) == SWP_TILE_CLOCK;
    const int last = is_of_tile ? 0 : iterations_of(in) - 1;
    if (!swp_ir_is_work(model))
        return own;
    own.least = own.least > 0 ? 0 : own.least;
    own.most = own.most < last ? last : own.most;
    return own;
}

/* Turns that the role leaves out; the one before and after its own where it leaves out none; any that may be meant where it has none. */
static void find_turns(const inserter *in, offer *o)
{
    const stretch at = stretch_of(in, in->list, &o->op);
    const swp_role_object *object = object_of(in, &o->op);
    const range own = wanted_range(in, &o->op);
    const int slots = object ? object->slots : 1;
    o->count = 0;
    o->usual = 1;
    for (int turn = own.least; turn <= own.most; turn++) {
        const int count = count_for(in, &o->op, turn);
        o->usual = count > o->usual ? count : o->usual;
    }
    for (int turn = own.least; turn <= own.most; turn++)
        add_turn(in, o, at, turn);
    o->is_missing = o->count > 0;
    if (own.least > own.most)
        for (int turn = -slots; turn <= iterations_of(in) + slots; turn++)
            add_turn(in, o, at, turn);
    if (o->is_missing || own.least > own.most)
        return;
    add_turn(in, o, at, own.least - 1);
    add_turn(in, o, at, own.most + 1);
}

static swp_status list_offers(inserter *in, offer **out)
{
    SWP_TRY(list_models(in));
    SWP_TRY(SWP_TAKE(in->f->ctx, in->models.count + 1, out));
    for (size_t i = 0; i < in->models.count; i++) {
        offer *o = &(*out)[i];
        *o = (offer){.op = in->models.items[i], .count = 1};
        if (has_turn(in, &o->op))
            find_turns(in, o);
        if (o->is_missing != (in->what == SWP_INSERT_MISSING))
            o->count = 0;
    }
    return SWP_OK;
}

static swp_status offer_at(const inserter *in, int entry, const offer *o)
{
    swp_edit edit = {
        .kind = SWP_EDIT_INSERT, .at = {in->list->phase, entry}, .ops = {o->op}, .op_count = 1};
    for (int i = 0; i < o->count; i++) {
        edit.ops[0].iteration = o->turns[i]; /* 0 of what has none */
        SWP_TRY(swp_role_offer(in->f, in->list, edit));
    }
    return SWP_OK;
}

swp_status swp_verify_role_offer_insertions(swp_role_finder *f, const swp_role_list *list,
                                            swp_role_insertion what, int first, int last)
{
    inserter in = {.f = f, .list = list, .what = what};
    const int step = first <= last ? 1 : -1;
    offer *offers = NULL;
    SWP_TRY(list_offers(&in, &offers));
    for (int entry = first; entry != last + step; entry += step)
        for (size_t i = 0; i < in.models.count && !swp_edits_full(f->out); i++)
            SWP_TRY(offer_at(&in, entry, &offers[i]));
    return SWP_OK;
}
