/* SPDX-License-Identifier: Apache-2.0 */
/* Lists entries that a list of a warp role may lack: such as the role has elsewhere, and what any role may do. */
#include "ir/entry.h"
#include "ir/schedule.h"
#include "ir/sync_objects.h"
#include "verify/role_candidates.h"
#include "verify/role_turns.h"

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
    const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
    if (operation->commits)
        return SWP_INSERT_COMMIT;
    if (operation->fence != SWP_NO_FENCE)
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

/* --- Offers --- */

/* A model, and the turns of it that the list may lack. */
typedef struct offer {
    swp_op op;
    swp_role_turns turns;
} offer;

static swp_status list_offers(inserter *in, offer **out)
{
    SWP_TRY(list_models(in));
    SWP_TRY(SWP_TAKE(in->f->ctx, in->models.count + 1, out));
    for (size_t i = 0; i < in->models.count; i++) {
        offer *o = &(*out)[i];
        *o = (offer){.op = in->models.items[i], .turns = {.count = 1}}; /* 0 of what has none */
        if (has_turn(in, &o->op))
            swp_verify_role_find_turns(in->f, in->list, &o->op, &o->turns);
        else if (in->what == SWP_INSERT_MISSING)
            o->turns.are_missing = swp_verify_role_lacks_one(in->f, in->list, &o->op);
        if (o->turns.are_missing != (in->what == SWP_INSERT_MISSING))
            o->turns.count = 0;
    }
    return SWP_OK;
}

static swp_status offer_at(const inserter *in, int entry, const offer *o)
{
    swp_edit edit = {
        .kind = SWP_EDIT_INSERT, .at = {in->list->phase, entry}, .ops = {o->op}, .op_count = 1};
    for (int i = 0; i < o->turns.count; i++) {
        edit.ops[0].iteration = o->turns.items[i];
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
