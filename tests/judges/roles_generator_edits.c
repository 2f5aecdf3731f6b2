/* SPDX-License-Identifier: Apache-2.0 */
/* Random edits of a schedule with warp roles. */
#include "editor.h"
#include "roles_generator.h"

#include "swp/loop.h"

enum { FAR = 4 };

/* --- Entries --- */

static bool is_any(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag != SWP_TAG_NONE;
}

static bool is_fence(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_FENCE_ASYNC || op->tag == SWP_TAG_MATRIX_FENCE;
}

static bool is_group_wait(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT ||
           op->tag == SWP_TAG_BULK_WAIT_READ;
}

static bool is_group(const editor *e, const swp_op *op)
{
    return is_group_wait(e, op) || op->tag == SWP_TAG_MATRIX_COMMIT ||
           op->tag == SWP_TAG_BULK_COMMIT;
}

static bool is_wait(const editor *e, const swp_op *op)
{
    return is_group_wait(e, op) || op->tag == SWP_TAG_WAIT_PHASE;
}

static bool is_on_kind(const editor *e, const swp_op *op, swp_role_object_kind kind)
{
    return op->object >= 0 && e->schedule->objects[op->object].kind == kind;
}

static bool is_on_mbarrier(const editor *e, const swp_op *op)
{
    return is_on_kind(e, op, SWP_OBJECT_MBARRIER);
}

static bool is_phase_wait(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_WAIT_PHASE;
}

static bool is_named(const editor *e, const swp_op *op)
{
    return is_on_kind(e, op, SWP_OBJECT_NAMED_BARRIER);
}

static bool has_bytes(const editor *e, const swp_op *op)
{
    (void)e;
    return op->bytes > 0;
}

static bool may_be_either(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_ARRIVE || op->tag == SWP_TAG_WAIT_PHASE ||
           op->tag == SWP_TAG_FENCE_ASYNC || editor_is_work(e, op);
}

/* An ordinary op that touches nothing, so that nothing else goes wrong with it. */
static bool is_traceless(const editor *e, const swp_op *op)
{
    if (!editor_is_work(e, op))
        return false;
    const swp_loop_op *o = &e->schedule->dataflow->loop->ops[swp_loop_op_of_tag(op->tag)];
    return o->read_count + o->write_count + o->update_count == 0;
}

static bool makes_nothing(const editor *e, const swp_op *op)
{
    if (!editor_is_work(e, op))
        return false;
    const swp_loop_op *o = &e->schedule->dataflow->loop->ops[swp_loop_op_of_tag(op->tag)];
    return o->write_count + o->update_count == 0;
}

static int either(const editor *e, int a, int b)
{
    return random_chance(e->random, 50) ? a : b;
}

/* --- Edits --- */

static bool drop_sync(const editor *e)
{
    return editor_drop(e, editor_is_sync);
}

static bool drop_fence(const editor *e)
{
    return editor_drop(e, is_fence);
}

static bool drop_group(const editor *e)
{
    return editor_drop(e, is_group);
}

static bool drop_wait(const editor *e)
{
    return editor_drop(e, is_wait);
}

static bool drop_meeting(const editor *e)
{
    return editor_drop(e, is_named);
}

static bool drop_work(const editor *e)
{
    return editor_drop(e, editor_is_work);
}

static bool drop_last_work(const editor *e)
{
    return editor_drop(e, makes_nothing);
}

static bool repeat(const editor *e, editor_filter *takes, int far)
{
    const int at = editor_choose(e, takes);
    if (at < 0)
        return false;
    swp_op op = e->list->items[at].op;
    op.iteration += far;
    editor_insert(e, random_int(e->random, at + 1, (int)e->list->count), op);
    return true;
}

static bool repeat_any(const editor *e)
{
    return repeat(e, is_any, 0);
}

static bool repeat_last_work(const editor *e)
{
    return repeat(e, makes_nothing, 0);
}

static bool repeat_elsewhere(const editor *e)
{
    return repeat(e, is_traceless, either(e, -FAR, FAR));
}

static bool move(const editor *e, editor_filter *takes)
{
    const int from = editor_choose(e, takes);
    const int to = from + random_int(e->random, -FAR, FAR);
    if (from < 0 || to < 0 || to == from || to >= (int)e->list->count)
        return false;
    editor_insert(e, to, editor_remove_at(e, from));
    return true;
}

static bool move_any(const editor *e)
{
    return move(e, is_any);
}

static bool move_wait(const editor *e)
{
    return move(e, is_wait);
}

static bool move_fence(const editor *e)
{
    return move(e, is_fence);
}

static bool change_turn(const editor *e, editor_filter *takes)
{
    swp_op *op = editor_choose_op(e, takes);
    if (!op)
        return false;
    const int by = either(e, 1, e->schedule->objects[op->object].slots);
    op->iteration += either(e, by, -by);
    return true;
}

static bool change_any_turn(const editor *e)
{
    return change_turn(e, is_on_mbarrier);
}

static bool change_wait_turn(const editor *e)
{
    return change_turn(e, is_phase_wait);
}

static bool change_iteration(const editor *e)
{
    swp_op *op = editor_choose_op(e, editor_is_work);
    if (op)
        op->iteration += either(e, 1, -1);
    return op != NULL;
}

static bool weaken_groups(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_group_wait);
    if (op)
        op->wait_value += random_int(e->random, 1, 2);
    return op != NULL;
}

static bool strengthen_groups(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_group_wait);
    if (!op || op->wait_value == 0)
        return false;
    op->wait_value--;
    return true;
}

/* PTX ISA, "cp.async.bulk": what a copy brings is a multiple of so many bytes. */
enum { COPY_UNIT = 16 };

static bool change_bytes(const editor *e)
{
    swp_op *op = editor_choose_op(e, has_bytes);
    if (op)
        op->bytes += either(e, COPY_UNIT, -COPY_UNIT);
    return op != NULL;
}

static bool change_threads(const editor *e)
{
    swp_op *op = editor_choose_op(e, may_be_either);
    if (op)
        op->by = op->by == SWP_ALL_THREADS ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    return op != NULL;
}

static bool change_instances(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_any);
    if (op)
        op->instances = random_int(e->random, 0, 3);
    return op != NULL;
}

static bool change_slot(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_named);
    if (!op)
        return false;
    *(random_chance(e->random, 50) ? &op->slot : &op->slot_step) += either(e, 1, -1);
    return op->slot >= 0;
}

static bool change_meeting(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_named);
    if (op)
        op->tag = op->tag == SWP_TAG_NAMED_SYNC ? SWP_TAG_NAMED_ARRIVE : SWP_TAG_NAMED_SYNC;
    return op != NULL;
}

static bool change_object(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_any);
    if (!op || op->object < 0)
        return false;
    const int other = random_int(e->random, 0, (int)e->schedule->object_count - 1);
    const bool fits = other != op->object &&
                      e->schedule->objects[other].kind == e->schedule->objects[op->object].kind;
    if (fits)
        op->object = other;
    return fits;
}

/* The objects are the schedule's own copies. */
static bool change_count(const editor *e)
{
    if (e->schedule->object_count == 0)
        return false;
    const int i = random_int(e->random, 0, (int)e->schedule->object_count - 1);
    swp_role_object *object = (swp_role_object *)&e->schedule->objects[i];
    int *count = object->kind == SWP_OBJECT_MBARRIER ? &object->arrivals : &object->threads;
    *count += either(e, 1, -1);
    return true;
}

typedef struct kind_of_edit {
    const char *name;
    int weight;
    bool (*apply)(const editor *e);
} kind_of_edit;

static const kind_of_edit kinds[] = {
    {"drop synchronisation", 6, drop_sync},
    {"drop a fence", 6, drop_fence},
    {"drop a wait or commit of groups", 6, drop_group},
    {"drop a wait", 5, drop_wait},
    {"drop a meeting", 14, drop_meeting},
    {"drop an op", 2, drop_work},
    {"drop an op that makes nothing", 4, drop_last_work},
    {"repeat an entry", 3, repeat_any},
    {"repeat an op that makes nothing", 8, repeat_last_work},
    {"repeat an op for another iteration", 14, repeat_elsewhere},
    {"swap neighbours", 12, editor_swap},
    {"move an entry", 6, move_any},
    {"move a wait", 6, move_wait},
    {"move a fence", 3, move_fence},
    {"change a turn", 3, change_any_turn},
    {"change the turn of a wait", 6, change_wait_turn},
    {"change an iteration", 3, change_iteration},
    {"weaken a wait for groups", 9, weaken_groups},
    {"strengthen a wait for groups", 3, strengthen_groups},
    {"change bytes", 1, change_bytes},
    {"let others execute an entry", 6, change_threads},
    {"change the instances", 4, change_instances},
    {"change a slot", 3, change_slot},
    {"make a sync an arrival, or the other way", 5, change_meeting},
    {"take another object", 2, change_object},
    {"change a count", 1, change_count},
};

const char *random_roles_edit(swp_context *ctx, swp_schedule *schedule, test_random *random)
{
    editor e = {.ctx = ctx, .schedule = schedule, .random = random};
    int weights = 0;
    size_t kind = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        weights += kinds[i].weight;
    editor_choose_list(&e);
    for (int dice = random_int(random, 1, weights); dice > kinds[kind].weight; kind++)
        dice -= kinds[kind].weight;
    return kinds[kind].apply(&e) ? kinds[kind].name : NULL;
}
