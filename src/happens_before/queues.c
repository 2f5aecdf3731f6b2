/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what retires each access that a thread's counters, or its groups of copies, count: the earliest of a wait, a fenced
 * barrier, the issue into a full counter, and the use of a register that somebody manages. Each thread retires what is its own (docs/loops-proof.md, "What an entry does").
 */
#include "happens_before/queues.h"

#include "ir/entry.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"

typedef struct queue {
    swp_happens_step *steps;
    const swp_loop_dataflow *dataflow;
    const swp_loop *loop;
    const swp_machine *machine;
    swp_sync_object object;
    swp_happens_retirer *at;
} queue;

swp_sync_object swp_happens_queue_of(const swp_loop *loop, const swp_loop_op *op)
{
    if (!op || swp_ir_completion_kind(op->completion) == SWP_COMPLETION_NONE)
        return SWP_NO_OBJECT;
    return swp_ir_loop_object_of(loop, op);
}

static bool is_on(const queue *q, int step)
{
    return swp_happens_queue_of(q->loop, q->steps[step].work) == q->object;
}

static void retire_one(queue *q, int access, int by, bool at_issue)
{
    q->steps[access].retired_by = by;
    q->steps[access].is_retired_at_issue = at_issue;
}

/* Goes on to the oldest that is in flight. */
static void skip(queue *q, int step)
{
    while (q->at->next < step &&
           (!is_on(q, q->at->next) || q->steps[q->at->next].retired_by >= 0)) {
        q->at->group += is_on(q, q->at->next) ? q->steps[q->at->next].work->accesses : 0;
        q->at->next++;
    }
}

/* By a step, at its issue or at its end, what has so many accesses behind it. */
static void retire(queue *q, int step, int most, bool at_issue)
{
    for (skip(q, step); q->at->next < step; skip(q, step)) {
        const int upto = q->at->group + q->steps[q->at->next].work->accesses;
        if (upto > q->at->commits - most)
            return;
        retire_one(q, q->at->next, step, at_issue);
    }
}

/* --- Registers that somebody manages --- */

/* A register, by the version that it holds. */
typedef struct held {
    int value;
    int64_t version;
} held;

static bool makes(const queue *q, int step, held h)
{
    const swp_happens_step *at = &q->steps[step];
    const int slots = q->dataflow->slots[h.value] < 1 ? 1 : q->dataflow->slots[h.value];
    return at->work && !swp_ir_loop_is_conditional(at->work) &&
           swp_ir_loop_makes(at->work, h.value) &&
           swp_happens_rest(at->iteration - h.version, slots) == 0;
}

/* Who needs what an access brings to one register waits for it, and so for what is older on a counter that is in order. */
static void use(queue *q, int step, held h)
{
    int access = step - 1;
    if (q->loop->values[h.value].space != SWP_SPACE_REGISTERS)
        return;
    while (access >= q->at->next && !makes(q, access, h))
        access--;
    if (access < q->at->next || !is_on(q, access) || q->steps[access].retired_by >= 0 ||
        !swp_ir_loop_is_awaited(q->loop, q->steps[access].work))
        return;
    const bool alone = q->machine->registers == SWP_REGISTERS_SCOREBOARD &&
                       !swp_ir_sync_in_order(q->object, q->object);
    if (alone) {
        retire_one(q, access, step, true);
        skip(q, step);
        return;
    }
    int behind = 0;
    for (int later = access + 1; later < step; later++)
        behind += is_on(q, later) ? q->steps[later].work->accesses : 0;
    retire(q, step, behind, true);
}

/* What need not run retires nothing for others. */
static void use_operands(queue *q, int step)
{
    const swp_happens_step *at = &q->steps[step];
    const swp_loop_op *op = at->work;
    if (!op || q->machine->registers == SWP_REGISTERS_RAW || swp_ir_loop_is_conditional(op))
        return;
    for (size_t i = 0; i < op->read_count; i++)
        use(q, step, (held){op->reads[i].value, at->iteration - op->reads[i].distance});
    for (size_t i = 0; i < op->update_count; i++) {
        const bool is_first =
            swp_ir_loop_first_maker(q->loop, op->updates[i]) == swp_loop_op_of_tag(at->op->tag);
        use(q, step, (held){op->updates[i], at->iteration - is_first});
    }
}

/* --- Steps --- */

/* A wait for more than a counter holds is one for as much as it holds. */
static int waited_for(const queue *q, const swp_op *wait)
{
    const int largest = swp_ir_sync_largest(q->machine, q->object);
    return largest > 0 && wait->wait_value > largest ? largest : wait->wait_value;
}

static void count(queue *q, int step)
{
    const int largest = swp_ir_sync_largest(q->machine, q->object);
    q->at->commits += q->steps[step].work->accesses;
    if (largest > 0 && q->machine->counter_full == SWP_COUNTER_STALLS)
        retire(q, step, largest, true);
}

static void lay(queue *q, int step)
{
    const swp_op *op = q->steps[step].op;
    const swp_sync_object_row *row = swp_ir_sync_object_row(q->object);
    use_operands(q, step);
    if (is_on(q, step))
        count(q, step);
    if (swp_ir_is_wait(op) && swp_ir_wait_kind(op) == row->wait)
        retire(q, step, waited_for(q, op), false);
    if (op->tag == SWP_TAG_BARRIER && q->machine->barrier == SWP_BARRIER_FENCED &&
        row->fence_retires)
        retire(q, step, 0, true);
}

void swp_happens_lay_queues(swp_happens_run *run, int instance, int step)
{
    const swp_schedule *schedule = run->program->schedule;
    for (int object = 0; object < SWP_HAPPENS_QUEUES; object++) {
        const int sort = SWP_HAPPENS_GROUP_SORTS + object;
        queue q = {.steps = run->steps[instance],
                   .dataflow = schedule->dataflow,
                   .loop = schedule->dataflow->loop,
                   .machine = &schedule->machine,
                   .object = (swp_sync_object)object,
                   .at = &run->retirers[instance * SWP_HAPPENS_RETIRERS + sort]};
        lay(&q, step);
    }
}

bool swp_happens_is_managed(const swp_happens_run *run, const swp_happens_step *step)
{
    const swp_schedule *schedule = run->program->schedule;
    return swp_happens_is_queued(run, step) && schedule->machine.registers != SWP_REGISTERS_RAW &&
           swp_ir_loop_is_awaited(schedule->dataflow->loop, step->work);
}

bool swp_happens_takes_effect_in_order(const swp_loop *loop, const swp_happens_step *earlier,
                                       const swp_happens_step *later)
{
    const swp_sync_object objects[] = {swp_happens_queue_of(loop, earlier->work),
                                       swp_happens_queue_of(loop, later->work)};
    return objects[0] != SWP_NO_OBJECT && objects[1] != SWP_NO_OBJECT &&
           swp_ir_sync_in_order(objects[0], objects[1]);
}
