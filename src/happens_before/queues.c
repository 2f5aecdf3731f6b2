/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what retires each access that a thread's counters, or its groups of copies, count: the earliest of a wait, a fenced
 * barrier, the issue into a full counter, and the use of a register that somebody manages. Each thread retires what is its
 * own; of what a warp group issues together any of its threads retires all (docs/loops-proof.md, "What an entry does").
 */
#include "happens_before/queues.h"

#include "ir/entry.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

typedef struct queue {
    swp_happens_step *steps;
    const swp_loop_dataflow *dataflow;
    const swp_loop *loop;
    const swp_machine *machine;
    const swp_happens_program *program;
    swp_sync_object object;
    bool is_of_all; /* what it counts all threads of the instance issue together */
    swp_happens_retirer *at;
    int in_flight;
    int asked; /* an access, of which it is asked whether it is waited for */
    bool is_waited_for;
} queue;

static bool holds(const queue *q, swp_happens_rule rule)
{
    return swp_happens_holds(q->program, rule);
}

static int accesses_of(const queue *q, int step)
{
    return holds(q, SWP_HAPPENS_ACCESSES) ? q->steps[step].work->accesses : 1;
}

static bool is_on(const queue *q, int step)
{
    return q->steps[step].queue == q->object;
}

static void retire_one(queue *q, int access, int by, bool at_issue)
{
    q->steps[access].retired_by = by;
    q->steps[access].is_retired_at_issue = at_issue;
    if (access > q->at->newest)
        q->at->newest = access;
}

/* Goes on to the oldest that is in flight. */
static void skip(queue *q, int step)
{
    while (q->at->next < step &&
           (!is_on(q, q->at->next) || q->steps[q->at->next].retired_by >= 0)) {
        q->at->group += is_on(q, q->at->next) ? accesses_of(q, q->at->next) : 0;
        q->at->next++;
    }
}

/* Retires what has so many accesses behind it, by a step: at its issue or at its end. */
static void retire(queue *q, int step, int most, bool at_issue)
{
    for (skip(q, step); q->at->next < step; skip(q, step)) {
        const int upto = q->at->group + accesses_of(q, q->at->next);
        if (upto > q->at->commits - most)
            return;
        retire_one(q, q->at->next, step, at_issue);
    }
}

/* A wait for more than a counter holds is one for as much as it holds. */
static int waited_for(const queue *q, int most)
{
    const int largest = swp_ir_sync_largest(q->machine, q->object);
    return largest > 0 && most > largest && holds(q, SWP_HAPPENS_LARGEST_WAIT) ? largest : most;
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

/* The newest access since the first one that is asked for that brings the register; -1: none is on the queue. */
static int maker_of(const queue *q, int step, held h, int first)
{
    int access = step - 1;
    if (q->loop->values[h.value].space != SWP_SPACE_REGISTERS)
        return -1;
    while (access >= first && !makes(q, access, h))
        access--;
    return access >= first && is_on(q, access) &&
                   swp_ir_loop_is_awaited(q->loop, q->steps[access].work)
               ? access
               : -1;
}

static int accesses_behind(const queue *q, int access, int step)
{
    int behind = 0;
    for (int later = access + 1; later < step; later++)
        behind += is_on(q, later) ? accesses_of(q, later) : 0;
    return behind;
}

/* A scoreboard guards each register by itself, unless accesses are over in order. */
static bool is_alone(const queue *q)
{
    if (q->machine->registers != SWP_REGISTERS_SCOREBOARD)
        return !holds(q, SWP_HAPPENS_OLDER_THAN_USE);
    return swp_ir_sync_in_order(q->object, q->object) ? !holds(q, SWP_HAPPENS_SCOREBOARD_OF_LDS)
                                                      : holds(q, SWP_HAPPENS_SCOREBOARD);
}

/* Whether who needs a register waits for what brings it. */
static bool waits_for_use(const queue *q)
{
    return q->machine->registers == SWP_REGISTERS_RAW ? !holds(q, SWP_HAPPENS_RAW_USE)
                                                      : holds(q, SWP_HAPPENS_MANAGED_USE);
}

/* Who needs what an access brings to one register waits for it, and so for what is older on a counter that is in order. */
static void use(queue *q, int step, held h)
{
    const int access = maker_of(q, step, h, q->at->next);
    if (access < 0 || q->steps[access].retired_by >= 0)
        return;
    if (is_alone(q)) {
        retire_one(q, access, step, true);
        skip(q, step);
        return;
    }
    retire(q, step, waited_for(q, accesses_behind(q, access, step)), true);
}

typedef void visit_register(queue *q, int step, held h);

static bool may_not_run(const queue *q, int step)
{
    const swp_loop_op *op = q->steps[step].work;
    return op && swp_ir_loop_is_conditional(op) && holds(q, SWP_HAPPENS_MAY_NOT_RUN);
}

static void visit_operands(queue *q, int step, visit_register *visit)
{
    const swp_happens_step *at = &q->steps[step];
    const swp_loop_op *op = at->work;
    if (!op || !waits_for_use(q))
        return;
    for (size_t i = 0; i < op->read_count; i++)
        visit(q, step, (held){op->reads[i].value, at->iteration - op->reads[i].distance});
    for (size_t i = 0; i < op->update_count; i++) {
        const bool is_first =
            swp_ir_loop_first_maker(q->loop, op->updates[i]) == swp_loop_op_of_tag(at->op->tag);
        visit(q, step, (held){op->updates[i], at->iteration - is_first});
    }
}

/* What need not run retires nothing for others. */
static void use_operands(queue *q, int step, visit_register *visit)
{
    if (!may_not_run(q, step))
        visit_operands(q, step, visit);
}

static void ask_use(queue *q, int step, held h)
{
    const int access = maker_of(q, step, h, q->asked);
    q->is_waited_for |= access == q->asked || (access > q->asked && !is_alone(q));
}

/* --- Counts --- */

static void leave(queue *q, int most)
{
    if (q->in_flight > most)
        q->in_flight = most;
}

/* Who waits for an access leaves what is behind it. */
static void leave_behind(queue *q, int step, held h)
{
    const int access = maker_of(q, step, h, 0);
    if (access >= 0 && !is_alone(q))
        leave(q, waited_for(q, accesses_behind(q, access, step)));
}

static bool is_waited_for(const queue *q, const swp_op *op)
{
    return holds(q, SWP_HAPPENS_WAIT) && swp_ir_is_wait(op) &&
           swp_ir_wait_kind(op) == swp_ir_sync_object_row(q->object)->wait;
}

/* Accesses that the wait leaves in flight. */
static int left_by_wait(const queue *q, const swp_op *op)
{
    return holds(q, SWP_HAPPENS_WAIT_COUNT) ? waited_for(q, op->wait_value) : 0;
}

static bool is_fence(const queue *q, const swp_op *op)
{
    const bool is_fenced = q->machine->barrier == SWP_BARRIER_FENCED
                               ? holds(q, SWP_HAPPENS_FENCED_BARRIER)
                               : !holds(q, SWP_HAPPENS_RAW_BARRIER);
    return swp_ir_is_barrier(op) && is_fenced &&
           (swp_ir_sync_object_row(q->object)->fence_retires ||
            !holds(q, SWP_HAPPENS_FENCE_OF_LDS));
}

static void follow_count(queue *q, int step)
{
    const swp_op *op = q->steps[step].op;
    use_operands(q, step, leave_behind);
    if (is_on(q, step))
        q->in_flight += accesses_of(q, step);
    if (is_waited_for(q, op))
        leave(q, left_by_wait(q, op));
    if (is_fence(q, op))
        leave(q, 0);
}

bool swp_happens_wraps(const swp_machine *machine, swp_sync_object object)
{
    return machine->counter_full == SWP_COUNTER_WRAPS && swp_ir_sync_largest(machine, object) > 0;
}

/* --- Steps --- */

static void count(queue *q, int step)
{
    const int largest = swp_ir_sync_largest(q->machine, q->object);
    q->at->commits += accesses_of(q, step);
    const bool stalls = q->machine->counter_full == SWP_COUNTER_STALLS
                            ? holds(q, SWP_HAPPENS_STALL)
                            : !holds(q, SWP_HAPPENS_WRAP);
    if (largest > 0 && stalls)
        retire(q, step, largest, true);
}

static void lay(queue *q, int step)
{
    const swp_op *op = q->steps[step].op;
    use_operands(q, step, use);
    if (is_on(q, step))
        count(q, step);
    if (is_waited_for(q, op)) {
        retire(q, step, left_by_wait(q, op), false);
        q->steps[step].retires = q->is_of_all ? q->at->newest : q->steps[step].retires;
        q->steps[step].is_for_all |= q->is_of_all;
    }
    if (is_fence(q, op))
        retire(q, step, 0, true);
}

/* One warp group issues it. Where several are one instance nobody knows which of them a wait is of. */
static bool is_of_all(const swp_happens_run *run, int instance, swp_sync_object object)
{
    const swp_sync_object_row *row = swp_ir_sync_object_row(object);
    return row->collective && row->orders &&
           run->program->instances[instance].threads == SWP_IR_GROUP_WARPS * SWP_IR_WARP_THREADS &&
           swp_happens_holds(run->program, SWP_HAPPENS_FOR_ALL);
}

static queue queue_of(const swp_happens_run *run, int instance, swp_sync_object object)
{
    const swp_schedule *schedule = run->program->schedule;
    return (queue){.steps = run->steps[instance],
                   .dataflow = schedule->dataflow,
                   .loop = schedule->dataflow->loop,
                   .machine = &schedule->machine,
                   .program = run->program,
                   .object = object,
                   .is_of_all = is_of_all(run, instance, object),
                   .at = &run->retirers[instance * SWP_HAPPENS_RETIRERS + (int)object]};
}

int swp_happens_left_by(const swp_happens_run *run, int instance, swp_sync_object object, int step,
                        int before)
{
    queue q = queue_of(run, instance, object);
    q.in_flight = before;
    follow_count(&q, step);
    return q.in_flight;
}

bool swp_happens_ends_for_all(const swp_happens_run *run, int instance, int step)
{
    return is_of_all(run, instance, run->steps[instance][step].queue);
}

bool swp_happens_waits_alone(const swp_happens_run *run, int instance, int step, int access)
{
    queue q = queue_of(run, instance, run->steps[instance][access].queue);
    q.asked = access;
    if (q.object != SWP_NO_OBJECT && may_not_run(&q, step))
        visit_operands(&q, step, ask_use);
    return q.is_waited_for;
}

/* How many there are matters of a count that wraps alone. */
static void keep_count(swp_happens_run *run, int instance, queue *q, int step)
{
    if (!swp_happens_wraps(q->machine, q->object))
        return;
    q->at->in_flight = swp_happens_left_by(run, instance, q->object, step, q->at->in_flight);
    if (is_on(q, step))
        q->steps[step].in_flight = q->at->in_flight;
}

void swp_happens_lay_queues(swp_happens_run *run, int instance, int step)
{
    for (int object = 0; object < SWP_SYNC_OBJECTS; object++) {
        queue q = queue_of(run, instance, (swp_sync_object)object);
        if (!run->program->uses_queue[object])
            continue;
        keep_count(run, instance, &q, step);
        lay(&q, step);
    }
}

bool swp_happens_is_managed(const swp_happens_run *run, const swp_happens_step *step)
{
    const swp_schedule *schedule = run->program->schedule;
    return swp_happens_is_queued(step) &&
           swp_happens_holds(run->program, SWP_HAPPENS_MANAGED_REGISTER) &&
           schedule->machine.registers != SWP_REGISTERS_RAW &&
           swp_ir_loop_is_awaited(schedule->dataflow->loop, step->work);
}

bool swp_happens_takes_effect_in_order(const swp_happens_step *earlier,
                                       const swp_happens_step *later)
{
    return swp_happens_is_queued(earlier) && swp_happens_is_queued(later) &&
           swp_ir_sync_in_order(earlier->queue, later->queue);
}
