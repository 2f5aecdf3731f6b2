/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what retires each access that a thread's counters, or its groups of copies, count: the earliest of a wait, a fenced
 * barrier and the issue into a full counter. Each thread retires what is its own (docs/loops-proof.md, "What an entry does").
 */
#include "happens_before/queues.h"

#include "ir/entry.h"
#include "ir/loop_dataflow.h"

typedef struct queue {
    swp_happens_step *steps;
    const swp_loop *loop;
    swp_sync_object object;
    swp_happens_retirer *at;
} queue;

swp_sync_object swp_happens_queue_of(const swp_loop *loop, const swp_loop_op *op)
{
    if (!op || swp_ir_completion_kind(op->completion) == SWP_COMPLETION_NONE)
        return SWP_NO_OBJECT;
    const swp_sync_object object = swp_ir_loop_object_of(loop, op);
    return (int)object < SWP_HAPPENS_QUEUES ? object : SWP_NO_OBJECT;
}

/* By a step, at its issue or at its end, what has so many accesses behind it. */
static void retire(queue *q, int step, int most, bool at_issue)
{
    while (q->at->next < step) {
        swp_happens_step *oldest = &q->steps[q->at->next];
        const bool is_queued = swp_happens_queue_of(q->loop, oldest->work) == q->object;
        const int count = q->at->group + (is_queued ? oldest->work->accesses : 0);
        if (count > q->at->commits - most)
            return;
        if (is_queued) {
            oldest->retired_by = step;
            oldest->is_retired_at_issue = at_issue;
        }
        q->at->group = count;
        q->at->next++;
    }
}

/* A wait for more than a counter holds is one for as much as it holds. */
static int waited_for(const swp_machine *machine, swp_sync_object object, const swp_op *wait)
{
    const int largest = swp_ir_sync_largest(machine, object);
    return largest > 0 && wait->wait_value > largest ? largest : wait->wait_value;
}

static void lay(queue *q, const swp_machine *machine, int step)
{
    const swp_op *op = q->steps[step].op;
    const swp_sync_object_row *row = swp_ir_sync_object_row(q->object);
    const int largest = swp_ir_sync_largest(machine, q->object);
    if (swp_happens_queue_of(q->loop, q->steps[step].work) == q->object) {
        q->at->commits += q->steps[step].work->accesses;
        if (largest > 0 && machine->counter_full == SWP_COUNTER_STALLS)
            retire(q, step, largest, true);
    }
    if (swp_ir_is_wait(op) && swp_ir_wait_kind(op) == row->wait)
        retire(q, step, waited_for(machine, q->object, op), false);
    if (op->tag == SWP_TAG_BARRIER && machine->barrier == SWP_BARRIER_FENCED && row->fence_retires)
        retire(q, step, 0, true);
}

void swp_happens_lay_queues(swp_happens_run *run, int instance, int step)
{
    const swp_schedule *schedule = run->program->schedule;
    for (int object = 0; object < SWP_HAPPENS_QUEUES; object++) {
        const int sort = SWP_HAPPENS_GROUP_SORTS + object;
        queue q = {.steps = run->steps[instance],
                   .loop = schedule->dataflow->loop,
                   .object = (swp_sync_object)object,
                   .at = &run->retirers[instance * SWP_HAPPENS_RETIRERS + sort]};
        lay(&q, &schedule->machine, step);
    }
}

bool swp_happens_takes_effect_in_order(const swp_loop *loop, const swp_happens_step *earlier,
                                       const swp_happens_step *later)
{
    const swp_sync_object objects[] = {swp_happens_queue_of(loop, earlier->work),
                                       swp_happens_queue_of(loop, later->work)};
    return objects[0] != SWP_NO_OBJECT && objects[1] != SWP_NO_OBJECT &&
           swp_ir_sync_in_order(objects[0], objects[1]);
}
