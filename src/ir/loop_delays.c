/* SPDX-License-Identifier: Apache-2.0 */
/* How many cycles after the issue of one op another may issue that touches the same value (docs/loops.md, "Dependences"). */
#include "ir/loop_delays.h"

#include "ir/completions.h"
#include "ir/loop_dataflow.h"

static int64_t signal_between(const swp_loop *loop, int from, int to)
{
    return loop->ops[from].role == loop->ops[to].role ? 0 : loop->signal;
}

int64_t swp_ir_until_there(const swp_loop *loop, int maker, int then, int64_t latency)
{
    return (latency > 0 ? latency : loop->ops[maker].latency) + signal_between(loop, maker, then);
}

/*
 * Matrix instructions in groups go on in one accumulator in the order of their issue: one may follow the other at once,
 * and its result is there no sooner. 0: nothing orders them.
 */
static int64_t until_accumulated(const swp_loop *loop, int maker, int then)
{
    const swp_loop_op *ops = loop->ops;
    const int64_t behind = ops[maker].latency - ops[then].latency;
    if (ops[maker].role != ops[then].role || !swp_ir_loop_is_in_order(loop, &ops[maker]) ||
        !swp_ir_loop_is_in_order(loop, &ops[then]))
        return 0;
    return behind > 1 ? behind : 1;
}

int64_t swp_ir_until_handed_on(const swp_loop *loop, int value, int maker, int then, bool in_place)
{
    const int64_t stated = swp_ir_loop_update_latency(&loop->ops[then], value);
    if (!swp_ir_loop_updates(&loop->ops[then], value))
        return 0;
    return stated > 0 || !in_place ? stated : until_accumulated(loop, maker, then);
}

static bool is_asked_for(const swp_loop *loop, int value)
{
    for (size_t i = 0; i < loop->op_count; i++) {
        const swp_loop_op *op = &loop->ops[i];
        if (swp_ir_loop_updates(op, value))
            return true;
        for (size_t r = 0; r < op->read_count; r++)
            if (op->reads[r].value == value)
                return true;
    }
    return false;
}

/*
 * Nobody waits to load a register again that readers wait for, nor to bring to shared memory again what no op asks for.
 * Only warp roles watch such copies.
 */
static bool is_remade_unawaited(const swp_loop *loop, int value, int maker)
{
    const swp_loop_op *op = &loop->ops[maker];
    if (loop->values[value].space == SWP_SPACE_REGISTERS)
        return swp_ir_loop_is_awaited(loop, op);
    return swp_ir_completion_kind(op->completion) != SWP_COMPLETION_NONE && loop->role_count == 0 &&
           !is_asked_for(loop, value);
}

int64_t swp_ir_until_remade(const swp_loop *loop, int value, int last, int first, bool in_place)
{
    const int64_t latency = in_place ? swp_ir_until_handed_on(loop, value, last, first, true) : 0;
    return is_remade_unawaited(loop, value, last) ? signal_between(loop, last, first)
                                                  : swp_ir_until_there(loop, last, first, latency);
}

/* Without a word of its own an op has read what it reads when it issues, an access that a counter counts its registers. */
int64_t swp_ir_until_read(const swp_loop *loop, int reader, int value, int then)
{
    const swp_loop_op *op = &loop->ops[reader];
    const swp_completion kind = swp_ir_completion_kind(op->completion);
    const bool is_register = loop->values[value].space == SWP_SPACE_REGISTERS;
    const bool at_issue =
        kind == SWP_COMPLETION_NONE || (kind == SWP_COMPLETION_COUNTER && is_register);
    const int64_t usual = at_issue ? 0 : op->latency;
    return (op->read_cycles > 0 ? op->read_cycles : usual) + signal_between(loop, reader, then);
}

int64_t swp_ir_until_updated(const swp_loop *loop, int reader, int value, int then, bool in_place)
{
    const int64_t reading = swp_ir_until_read(loop, reader, value, then);
    const int64_t latency = in_place ? swp_ir_until_handed_on(loop, value, reader, then, true) : 0;
    const bool reads_on = loop->ops[reader].read_cycles > loop->ops[reader].latency;
    const int64_t in_order = swp_ir_until_there(loop, reader, then, latency);
    return latency > 0 && !reads_on && in_order < reading ? in_order : reading;
}
