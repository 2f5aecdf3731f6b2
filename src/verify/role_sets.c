/* SPDX-License-Identifier: Apache-2.0 */
/* Lists other members of an entry of a warp role, and other counts of objects and values. */
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"
#include "verify/role_candidates.h"

/* PTX ISA, "cp.async.bulk": what a copy brings is a multiple of so many bytes. */
enum { COPY_UNIT = 16 };

/* Groups more that a wait may leave, slots of a barrier, and iterations by which an entry is moved. */
enum { MOST_LEFT = 2, FAR = 4 };

typedef struct setter {
    swp_role_finder *f;
    const swp_role_list *list;
    int entry;
    const swp_op *op; /* that it is */
} setter;

static swp_status offer(const setter *s, const char *member, swp_op op)
{
    return swp_role_offer(s->f, s->list,
                          (swp_edit){.kind = SWP_EDIT_SET,
                                     .at = {s->list->phase, s->entry},
                                     .member = member,
                                     .ops = {op},
                                     .op_count = 1});
}

static const swp_role_object *object_of(const setter *s)
{
    return s->op->object < 0 ? NULL : &s->f->schedule->objects[s->op->object];
}

static bool is_named(const setter *s)
{
    return object_of(s) && object_of(s)->kind == SWP_OBJECT_NAMED_BARRIER;
}

static swp_status offer_iteration(const setter *s, int by)
{
    swp_op op = *s->op;
    op.iteration += by;
    return offer(s, "iteration", op);
}

static swp_status offer_iterations(const setter *s)
{
    if (is_named(s) || (!object_of(s) && !swp_ir_is_work(s->op)))
        return SWP_OK;
    const int slots = object_of(s) ? object_of(s)->slots : FAR;
    for (int by = 1; by <= FAR || by <= slots; by++) {
        if (by > 2 && by != FAR && by != slots)
            continue;
        SWP_TRY(offer_iteration(s, -by));
        SWP_TRY(offer_iteration(s, by));
    }
    return SWP_OK;
}

static swp_status offer_waits(const setter *s)
{
    swp_op op = *s->op;
    if (!swp_ir_is_group_wait(&op))
        return SWP_OK;
    const int left = op.wait_value;
    op.wait_value = 0;
    if (left > 0)
        SWP_TRY(offer(s, "wait", op));
    for (int more = 1; more <= MOST_LEFT; more++) {
        op.wait_value = left + more;
        SWP_TRY(offer(s, "wait", op));
    }
    return SWP_OK;
}

static swp_status offer_threads(const setter *s)
{
    swp_op op = *s->op;
    op.by = op.by == SWP_ALL_THREADS ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    SWP_TRY(offer(s, "by", op));
    const int instances = s->f->schedule->streams[s->list->stream].instances;
    const int masks = instances <= 3 ? 1 << instances : 1;
    op = *s->op;
    for (op.instances = 0; instances > 1 && op.instances < masks; op.instances++)
        if (op.instances != s->op->instances)
            SWP_TRY(offer(s, "instances", op));
    op.to = op.to == SWP_TO_OWN ? SWP_TO_ALL : SWP_TO_OWN;
    op.instances = s->op->instances;
    return op.tag == SWP_TAG_ARRIVE && s->f->schedule->cluster > 1 ? offer(s, "to", op) : SWP_OK;
}

/* As many as other entries of the kind have; or by how much a count goes wrong by one copy or one slip. */
static swp_status offer_bytes(const setter *s)
{
    swp_op op = *s->op;
    const int own = op.bytes;
    if (own == 0)
        return SWP_OK;
    int last = own;
    for (int l = 0; l < s->f->list_count; l++)
        for (size_t i = 0; i < s->f->lists[l].entries->count; i++) {
            op.bytes = s->f->lists[l].entries->items[i].op.bytes;
            if (op.bytes == 0 || op.bytes == own || op.bytes == last)
                continue;
            last = op.bytes;
            SWP_TRY(offer(s, "bytes", op));
        }
    const int others[] = {own * 2, own / 2, own - COPY_UNIT, own + COPY_UNIT};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        op.bytes = others[i];
        if (op.bytes > 0)
            SWP_TRY(offer(s, "bytes", op));
    }
    return SWP_OK;
}

static swp_status offer_objects(const setter *s)
{
    swp_op op = *s->op;
    for (op.object = 0; object_of(s) && op.object < (int)s->f->schedule->object_count; op.object++)
        if (op.object != s->op->object &&
            s->f->schedule->objects[op.object].kind == object_of(s)->kind)
            SWP_TRY(offer(s, "object", op));
    return SWP_OK;
}

static swp_status offer_slots(const setter *s)
{
    for (int by = -1; is_named(s) && by <= 1; by += 2) {
        swp_op op = *s->op;
        op.slot += by;
        if (op.slot >= 0)
            SWP_TRY(offer(s, "slot", op));
        op = *s->op;
        op.slot_step += by;
        SWP_TRY(offer(s, "slot_step", op));
    }
    return SWP_OK;
}

/* A meeting that is waited for or not, and a bulk store that is visible or only read. */
static swp_status offer_names(const setter *s)
{
    static const int pairs[][2] = {{SWP_TAG_NAMED_SYNC, SWP_TAG_NAMED_ARRIVE},
                                   {SWP_TAG_BULK_WAIT, SWP_TAG_BULK_WAIT_READ}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++) {
            swp_op op = *s->op;
            op.tag = pairs[i][1 - side];
            if (s->op->tag == pairs[i][side])
                SWP_TRY(offer(s, "name", op));
        }
    return SWP_OK;
}

static setter setter_of(swp_role_finder *f, const swp_role_list *list, int entry)
{
    return (setter){f, list, entry, &list->entries->items[entry].op};
}

/* The entry right behind is the same once more. */
static bool is_repeated(const setter *s)
{
    const swp_entry_list *entries = s->list->entries;
    if ((size_t)s->entry + 1 >= entries->count)
        return false;
    const swp_op *next = &entries->items[s->entry + 1].op;
    return next->tag == s->op->tag && next->object == s->op->object &&
           next->iteration == s->op->iteration && next->slot == s->op->slot;
}

swp_status swp_verify_role_offer_slips(swp_role_finder *f, const swp_role_list *list, int entry)
{
    const setter s = setter_of(f, list, entry);
    swp_op op = *s.op;
    op.instances = 0;
    if (s.op->instances != 0)
        SWP_TRY(offer(&s, "instances", op));
    if (is_repeated(&s))
        SWP_TRY(swp_role_offer(f, list,
                               (swp_edit){.kind = SWP_EDIT_REMOVE, .at = {list->phase, entry}}));
    op = *s.op;
    op.by = op.by == SWP_ALL_THREADS ? SWP_ONE_THREAD : SWP_ALL_THREADS;
    SWP_TRY(offer(&s, "by", op));
    return offer_objects(&s);
}

swp_status swp_verify_role_offer_sets(swp_role_finder *f, const swp_role_list *list, int entry)
{
    const setter s = setter_of(f, list, entry);
    SWP_TRY(offer_waits(&s));
    SWP_TRY(offer_iterations(&s));
    SWP_TRY(offer_threads(&s));
    SWP_TRY(offer_bytes(&s));
    SWP_TRY(offer_slots(&s));
    SWP_TRY(offer_names(&s));
    return offer_objects(&s);
}

/* --- Counts --- */

/* By one, or as many as one instance, or one work group, of two too many or too few. */
static swp_status offer_count(swp_role_finder *f, swp_edit edit, int least, int most)
{
    const int now = edit.to;
    const int others[] = {now - 1, now + 1, now * 2, now / 2};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        edit.to = others[i];
        if (edit.to >= least && edit.to <= most)
            SWP_TRY(swp_edits_push(f->ctx, f->out, edit));
    }
    return SWP_OK;
}

static swp_status offer_object(swp_role_finder *f, int number)
{
    const swp_role_object *object = &f->schedule->objects[number];
    const bool is_mbarrier = object->kind == SWP_OBJECT_MBARRIER;
    swp_edit edit = {.kind = SWP_EDIT_OBJECT, .number = number};
    edit.member = is_mbarrier ? "arrivals" : "threads";
    edit.to = is_mbarrier ? object->arrivals : object->threads;
    SWP_TRY(offer_count(f, edit, 1, SWP_MOST_ACCESSES));
    edit.member = "slots";
    edit.to = object->slots;
    return offer_count(f, edit, 1, SWP_MOST_SLOTS);
}

swp_status swp_verify_role_offer_counts(swp_role_finder *f)
{
    if (f->object >= 0)
        SWP_TRY(offer_object(f, f->object));
    for (int i = 0; i < (int)f->schedule->object_count; i++)
        if (i != f->object)
            SWP_TRY(offer_object(f, i));
    const swp_loop_dataflow *dataflow = f->schedule->dataflow;
    for (int i = 0; i < (int)dataflow->loop->value_count; i++)
        SWP_TRY(offer_count(
            f, (swp_edit){.kind = SWP_EDIT_SLOTS, .number = i, .to = dataflow->slots[i]}, 1,
            SWP_MOST_SLOTS));
    return SWP_OK;
}
