/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the versions of a value through the ops that make, update and read it. */
#include "ir/loop_dataflow.h"

bool swp_ir_loop_writes(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->write_count; i++)
        if (op->writes[i] == value)
            return true;
    return false;
}

bool swp_ir_loop_updates(const swp_loop_op *op, int value)
{
    for (size_t i = 0; i < op->update_count; i++)
        if (op->updates[i] == value)
            return true;
    return false;
}

bool swp_ir_loop_makes(const swp_loop_op *op, int value)
{
    return swp_ir_loop_writes(op, value) || swp_ir_loop_updates(op, value);
}

int swp_ir_loop_maker_after(const swp_loop *loop, int value, int op)
{
    for (int i = op + 1; i < (int)loop->op_count; i++)
        if (swp_ir_loop_makes(&loop->ops[i], value))
            return i;
    return SWP_NO_OP;
}

int swp_ir_loop_maker_before(const swp_loop *loop, int value, int op)
{
    for (int i = op - 1; i >= 0; i--)
        if (swp_ir_loop_makes(&loop->ops[i], value))
            return i;
    return SWP_NO_OP;
}

int swp_ir_loop_first_maker(const swp_loop *loop, int value)
{
    return swp_ir_loop_maker_after(loop, value, -1);
}

int swp_ir_loop_last_maker(const swp_loop *loop, int value)
{
    return swp_ir_loop_maker_before(loop, value, (int)loop->op_count);
}

static bool any_in(const swp_loop *loop, const int *values, size_t count, swp_space space)
{
    for (size_t i = 0; i < count; i++)
        if (loop->values[values[i]].space == space)
            return true;
    return false;
}

bool swp_ir_loop_makes_in(const swp_loop *loop, const swp_loop_op *op, swp_space space)
{
    return any_in(loop, op->writes, op->write_count, space) ||
           any_in(loop, op->updates, op->update_count, space);
}

bool swp_ir_loop_reads_in(const swp_loop *loop, const swp_loop_op *op, swp_space space)
{
    for (size_t i = 0; i < op->read_count; i++)
        if (loop->values[op->reads[i].value].space == space)
            return true;
    return false;
}

bool swp_ir_loop_is_tight(const swp_pipeline *p, const swp_problem_edge *edge)
{
    return p->answer.times[edge->consumer] ==
           p->answer.times[edge->producer] + edge->delay - p->answer.value * edge->distance;
}

int64_t swp_ir_loop_update_latency(const swp_loop_op *op, int value)
{
    for (size_t u = 0; u < op->update_count && op->update_latencies; u++)
        if (op->updates[u] == value)
            return op->update_latencies[u];
    return 0;
}

int64_t swp_ir_loop_register_bytes(const swp_loop *loop)
{
    return (int64_t)loop->lane_registers * SWP_REGISTER_BYTES * loop->lanes;
}

int64_t swp_ir_loop_registers(const swp_loop *loop, int64_t bytes)
{
    const int64_t all = (int64_t)SWP_REGISTER_BYTES * loop->lanes;
    return all == 0 ? 0 : bytes / all + (bytes % all != 0);
}

int swp_ir_loop_slot(const swp_loop_dataflow *dataflow, int value, int iteration)
{
    const int slots = dataflow->slots[value];
    return (iteration % slots + slots) % slots;
}

static bool states_slots(const swp_loop_op *op)
{
    return op->least_slots != 0 || op->most_slots != 0;
}

static const swp_loop_op *find_slots(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++)
        if (states_slots(&loop->ops[i]) && swp_ir_loop_writes(&loop->ops[i], value))
            return &loop->ops[i];
    return NULL;
}

swp_loop_values swp_ir_loop_alike(const swp_loop *loop, const int *value)
{
    const swp_loop_op *op = find_slots(loop, *value);
    return op ? (swp_loop_values){op->writes, op->write_count} : (swp_loop_values){value, 1};
}

int swp_ir_loop_stated_most(const swp_loop *loop, int value)
{
    const swp_loop_op *op = find_slots(loop, value);
    return op ? op->most_slots : loop->values[value].most_slots;
}

void swp_ir_loop_set_slots(const swp_loop *loop, int *slots, int value, int count)
{
    const swp_loop_values alike = swp_ir_loop_alike(loop, &value);
    for (size_t i = 0; i < alike.count; i++)
        slots[alike.items[i]] = count;
}

/* An op may write as many values as others read, so what is not far is not looked for among them. */
int swp_ir_loop_least_slots(const swp_loop *loop, int value)
{
    const swp_loop_op *op = find_slots(loop, value);
    int least = op ? op->least_slots : loop->values[value].least_slots;
    for (size_t i = 0; i < loop->op_count; i++)
        for (size_t r = 0; r < loop->ops[i].read_count; r++) {
            const swp_loop_read *read = &loop->ops[i].reads[r];
            if (read->distance + 1 > least &&
                (read->value == value || (op && swp_ir_loop_writes(op, read->value))))
                least = read->distance + 1;
        }
    return least;
}

int swp_ir_loop_most_slots(const swp_loop *loop, int value)
{
    const int least = swp_ir_loop_least_slots(loop, value);
    const int first = swp_ir_loop_first_maker(loop, value);
    const int stated = swp_ir_loop_stated_most(loop, value);
    if (stated > 0)
        return stated;
    if (first == SWP_NO_OP || swp_ir_loop_updates(&loop->ops[first], value))
        return least;
    return SWP_MOST_SLOTS;
}
