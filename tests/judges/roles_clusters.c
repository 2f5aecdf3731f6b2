/* SPDX-License-Identifier: Apache-2.0 */
/* Makes schedules of clusters of those of one work group, and edits them. */
#include "roles_clusters.h"

#include <stdlib.h>

#include "editor.h"
#include "roles_draft.h"
#include "safe_roles.h"

#include "swp/loop.h"

enum { RANKS = 2 };

/* --- For two work groups --- */

/* What is done with each entry of all lists. */
typedef void visitor(random_roles *p, swp_op *op);

static void visit_list(random_roles *p, const swp_entry_list *list, visitor *visit)
{
    for (size_t i = 0; i < list->count; i++)
        visit(p, &list->items[i].op);
}

static void visit_all(random_roles *p, visitor *visit)
{
    for (size_t s = 0; s < p->schedule.stream_count; s++) {
        swp_stream *stream = &p->schedule.streams[s];
        for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
            visit_list(p, swp_stream_phase(stream, (swp_phase)phase), visit);
        for (size_t i = 0; i < stream->tails.epilogue_count; i++)
            visit_list(p, &stream->tails.epilogues[i], visit);
        for (size_t i = 0; i < stream->tails.straight_count; i++)
            visit_list(p, &stream->tails.straight[i], visit);
    }
}

/* The ops and objects are the schedule's own copies. */
static swp_loop_op *op_of(const swp_schedule *schedule, size_t number)
{
    return (swp_loop_op *)&schedule->dataflow->loop->ops[number];
}

static swp_role_object *object_of(const swp_schedule *schedule, int number)
{
    return (swp_role_object *)&schedule->objects[number];
}

static void expect_all_shares(random_roles *p, swp_op *op)
{
    (void)p;
    if (op->tag == SWP_TAG_ARRIVE_EXPECT)
        op->bytes *= RANKS;
}

static void multicast(random_roles *p)
{
    for (size_t i = 0; i < p->schedule.dataflow->loop->op_count; i++)
        if (op_of(&p->schedule, i)->completion == SWP_COMPLETION_COPY_MBARRIER)
            op_of(&p->schedule, i)->multicast = true;
    visit_all(p, expect_all_shares);
}

/* Where there was one arrival of a thread there is one from each rank. */
static void arrive_at_all(random_roles *p, swp_op *op)
{
    (void)p;
    if (op->tag == SWP_TAG_ARRIVE)
        op->to = SWP_TO_ALL;
}

static void count_arrivals(random_roles *p)
{
    for (int i = 0; i < (int)p->schedule.object_count; i++)
        object_of(&p->schedule, i)->arrivals *= RANKS;
}

/* Copies count themselves, so their arrivals stay. */
static void expect_once(random_roles *p, swp_op *op)
{
    if (op->tag == SWP_TAG_ARRIVE_EXPECT)
        object_of(&p->schedule, op->object)->arrivals = 1;
}

static swp_op meeting(int tag)
{
    return (swp_op){.tag = tag, .object = -1, .by = SWP_ALL_THREADS};
}

static void meet_behind(random_roles *p, swp_entry_list *list, swp_phase phase)
{
    const editor e = {.ctx = p->ctx, .schedule = &p->schedule, .list = list, .phase = phase};
    editor_insert(&e, (int)list->count, meeting(SWP_TAG_CLUSTER_ARRIVE));
    editor_insert(&e, (int)list->count, meeting(SWP_TAG_CLUSTER_WAIT));
}

static void meet_at_the_end(random_roles *p)
{
    for (size_t s = 0; s < p->schedule.stream_count; s++) {
        swp_stream *stream = &p->schedule.streams[s];
        meet_behind(p, &stream->epilogue, SWP_EPILOGUE);
        for (size_t i = 0; i < stream->tails.epilogue_count; i++)
            meet_behind(p, &stream->tails.epilogues[i], SWP_EPILOGUE);
        for (size_t i = 0; i < stream->tails.straight_count; i++)
            meet_behind(p, &stream->tails.straight[i], SWP_EPILOGUE);
    }
}

static random_roles of_draft(test_random *random)
{
    random_roles p = random_roles_safe(random);
    p.schedule.cluster = RANKS;
    if (random_chance(random, 90))
        multicast(&p);
    if (random_chance(random, 90)) {
        visit_all(&p, arrive_at_all);
        count_arrivals(&p);
        visit_all(&p, expect_once);
    }
    if (random_chance(random, 85))
        meet_at_the_end(&p);
    return p;
}

static random_roles of_safe_program(test_random *random)
{
    static void (*const shapes[])(roles_program * p, swp_context * ctx) = {
        safe_cluster, safe_cluster_readers, safe_cluster_meetings};
    const int last = (int)(sizeof shapes / sizeof *shapes) - 1;
    random_roles p = {.ctx = swp_context_new(NULL)};
    if (!p.ctx)
        abort();
    roles_program *program = draft_take(p.ctx, sizeof *program);
    shapes[random_int(random, 0, last)](program, p.ctx);
    p.schedule = program->schedule;
    return p;
}

/* The loop is the schedule's own copy, too. */
static void say_so(const swp_schedule *schedule)
{
    ((swp_loop *)schedule->dataflow->loop)->cluster = schedule->cluster;
}

random_roles random_roles_cluster(test_random *random)
{
    const random_roles p = random_chance(random, 50) ? of_draft(random) : of_safe_program(random);
    say_so(&p.schedule);
    return p;
}

/* --- Edits of what reaches beyond a rank --- */

static bool is_arrival(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_ARRIVE;
}

static bool is_meeting(const editor *e, const swp_op *op)
{
    (void)e;
    return op->tag == SWP_TAG_CLUSTER_ARRIVE || op->tag == SWP_TAG_CLUSTER_WAIT;
}

static bool has_bytes(const editor *e, const swp_op *op)
{
    (void)e;
    return op->bytes > 1;
}

static bool change_target(const editor *e)
{
    swp_op *op = editor_choose_op(e, is_arrival);
    if (op)
        op->to = op->to == SWP_TO_ALL ? SWP_TO_OWN : SWP_TO_ALL;
    return op != NULL;
}

static bool change_multicast(const editor *e)
{
    const int ops = (int)e->schedule->dataflow->loop->op_count;
    swp_loop_op *op = op_of(e->schedule, (size_t)random_int(e->random, 0, ops - 1));
    if (op->completion != SWP_COMPLETION_COPY_MBARRIER)
        return false;
    op->multicast = !op->multicast;
    return true;
}

static bool drop_meeting(const editor *e)
{
    const int at = editor_choose(e, is_meeting);
    if (at >= 0)
        (void)editor_remove_at(e, at);
    return at >= 0;
}

static bool move_meeting(const editor *e)
{
    const int from = editor_choose(e, is_meeting);
    if (from < 0)
        return false;
    const swp_op op = editor_remove_at(e, from);
    editor_insert(e, random_int(e->random, 0, (int)e->list->count), op);
    return true;
}

static bool add_meeting(const editor *e)
{
    const int at = random_int(e->random, 0, (int)e->list->count);
    editor_insert(e, at, meeting(SWP_TAG_CLUSTER_WAIT));
    editor_insert(e, random_int(e->random, 0, at), meeting(SWP_TAG_CLUSTER_ARRIVE));
    return true;
}

static int twice_or_half(const editor *e, int number)
{
    return random_chance(e->random, 50) ? number * RANKS : number / RANKS;
}

static bool scale_bytes(const editor *e)
{
    swp_op *op = editor_choose_op(e, has_bytes);
    if (op)
        op->bytes = twice_or_half(e, op->bytes);
    return op != NULL;
}

static bool scale_arrivals(const editor *e)
{
    if (e->schedule->object_count == 0)
        return false;
    const int last = (int)e->schedule->object_count - 1;
    swp_role_object *object = object_of(e->schedule, random_int(e->random, 0, last));
    object->arrivals = twice_or_half(e, object->arrivals);
    return object->kind == SWP_OBJECT_MBARRIER;
}

/* All roles end without a meeting: where the proof needs none that is as safe. */
static bool part_at_once(const editor *e)
{
    bool any = false;
    for (size_t s = 0; s < e->schedule->stream_count; s++) {
        editor of = *e;
        of.list = &e->schedule->streams[s].epilogue;
        of.phase = SWP_EPILOGUE;
        for (int i = (int)of.list->count; i-- > 0;)
            if (is_meeting(&of, &of.list->items[i].op)) {
                (void)editor_remove_at(&of, i);
                any = true;
            }
    }
    return any;
}

typedef struct kind_of_edit {
    const char *name;
    bool (*apply)(const editor *e);
} kind_of_edit;

static const char *edit_cluster(random_roles *p, test_random *random)
{
    static const kind_of_edit kinds[] = {
        {"arrive elsewhere", change_target},
        {"make a copy a multicast, or the other way", change_multicast},
        {"drop an operation on the cluster's barrier", drop_meeting},
        {"move an operation on the cluster's barrier", move_meeting},
        {"add a meeting of the cluster", add_meeting},
        {"twice or half the bytes", scale_bytes},
        {"twice or half the arrivals", scale_arrivals},
        {"end without a meeting", part_at_once},
    };
    const int last = (int)(sizeof kinds / sizeof *kinds) - 1;
    const kind_of_edit *kind = &kinds[random_int(random, 0, last)];
    editor e = {.ctx = p->ctx, .schedule = &p->schedule, .random = random};
    editor_choose_list(&e);
    return kind->apply(&e) ? kind->name : NULL;
}

static bool edit(random_roles *p, int edits, test_random *random)
{
    while (p->edits < edits) {
        const char *name = random_chance(random, 50)
                               ? edit_cluster(p, random)
                               : random_roles_edit(p->ctx, &p->schedule, random);
        if (name)
            p->names[p->edits++] = name;
    }
    return random_roles_is_legal(&p->schedule);
}

random_roles random_roles_cluster_new(test_random *random)
{
    const int dice = random_int(random, 1, 100);
    const int edits = dice <= 20   ? 0
                      : dice <= 75 ? 1
                                   : random_int(random, 2, RANDOM_ROLES_MOST_EDITS);
    for (;;) {
        random_roles p = random_roles_cluster(random);
        if (edit(&p, edits, random)) {
            p.schedule.machine.fence_reads = random_chance(random, 75);
            return p;
        }
        random_roles_free(&p);
    }
}
