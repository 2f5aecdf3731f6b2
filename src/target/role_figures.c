/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds what warp roles share beyond the units of their loop (docs/simulation.md, "Roles by
 * figures"). They share the issue slots of the schedulers, since each scheduler has a warp of every
 * warp group. The matrix unit counts its own turns, so an op on it ends its own latency after its
 * turn.
 */
#include "target/role_figures.h"

#include "ir/completions.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_issue.h"
#include "ir/sync_objects.h"
#include "target/figures.h"

#include <string.h>

static const char issue_slots[] = "issue_slots";

bool swp_target_has_role_figures(const swp_target *target)
{
    return target->figures[SWP_TARGET_MMA_LATENCY].stated &&
           target->figures[SWP_TARGET_EXP_LANES].stated;
}

static int unit_of(const swp_loop *loop)
{
    int unit = 0;
    while (unit < (int)loop->unit_count && strcmp(loop->units[unit].name, issue_slots) != 0)
        unit++;
    return unit;
}

static swp_status add_unit(swp_context *ctx, int unit, swp_loop *loop)
{
    swp_problem_resource *units = NULL;
    const size_t count = loop->unit_count;
    SWP_TRY(SWP_TAKE(ctx, count + 1, &units));
    if (count > 0)
        memcpy(units, loop->units, count * sizeof *units);
    if (loop->rates) {
        bool *rates = NULL;
        SWP_TRY(SWP_TAKE(ctx, count + 1, &rates));
        memcpy(rates, loop->rates, count * sizeof *rates);
        rates[unit] = false;
        loop->rates = rates;
    }
    units[unit] = (swp_problem_resource){.name = issue_slots, .capacity = 1};
    loop->units = units;
    loop->unit_count = unit == (int)count ? count + 1 : count;
    return SWP_OK;
}

/* While a slower unit works at what it was given, others issue; so many of its cycles are not the op's own. */
static int64_t slots_of(const swp_target *target, const swp_loop_op *op)
{
    const int64_t on_unit = swp_ir_loop_longest_use(op);
    const int64_t given = on_unit * swp_target_value_of(target, SWP_TARGET_EXP_LANES) /
                          swp_target_value_of(target, SWP_TARGET_VECTOR_LANES);
    return on_unit < op->issue ? op->issue - on_unit + given : given;
}

/* Copies the uses of an op without those of the unit, with room for one more. */
static swp_status copy_uses(swp_context *ctx, int unit, swp_loop_op *op, swp_problem_use **uses)
{
    size_t count = 0;
    SWP_TRY(SWP_TAKE(ctx, op->use_count + 1, uses));
    for (size_t i = 0; i < op->use_count; i++)
        if (op->uses[i].resource != unit)
            (*uses)[count++] = op->uses[i];
    op->uses = *uses;
    op->use_count = count;
    return SWP_OK;
}

static swp_status set_op(swp_context *ctx, const swp_target *target, int unit,
                         swp_completion completion, swp_loop_op *op)
{
    swp_problem_use *uses = NULL;
    SWP_TRY(copy_uses(ctx, unit, op, &uses));
    if (completion == SWP_COMPLETION_MATRIX_GROUP && op->use_count > 0) {
        op->latency =
            swp_ir_loop_longest_use(op) + swp_target_value_of(target, SWP_TARGET_MMA_LATENCY);
        if (op->read_cycles > op->latency)
            op->read_cycles = op->latency;
    }
    const bool is_asynchronous = swp_ir_sync_tracker(completion) != SWP_NO_OBJECT;
    const int64_t slots = is_asynchronous || op->issue == 0 ? 0 : slots_of(target, op);
    if (slots > 0)
        uses[op->use_count++] = (swp_problem_use){unit, 1, slots};
    return SWP_OK;
}

/* Limits a stated latency to the maker's and the op's own; without a stated one it is the maker's. */
static int64_t held(const swp_loop *loop, const swp_loop_op *op, int index, int value,
                    int64_t stated)
{
    const int before = swp_ir_loop_maker_before(loop, value, index);
    const int last = swp_ir_loop_last_maker(loop, value);
    const int64_t of_last = loop->ops[last].latency;
    const int64_t of_before = before == SWP_NO_OP ? of_last : loop->ops[before].latency;
    const int64_t most = of_before < of_last ? of_before : of_last;
    const int64_t least = (of_before < of_last ? of_last : of_before) - op->latency;
    if (stated == 0 || least > most)
        return 0;
    const int64_t latency = stated < least ? least : stated;
    return latency > most ? most : latency;
}

/*
 * Limits the latencies that dependences state: no later than their maker's, and results of one sum
 * stay in order.
 */
static swp_status hold_updates(swp_context *ctx, const swp_loop *loop, int index, swp_loop_op *op)
{
    int64_t *latencies = NULL;
    if (!op->update_latencies)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, op->update_count, &latencies));
    for (size_t i = 0; i < op->update_count; i++)
        latencies[i] = held(loop, op, index, op->updates[i], op->update_latencies[i]);
    op->update_latencies = latencies;
    return SWP_OK;
}

swp_status swp_target_set_role_figures(swp_context *ctx, const swp_target *target, swp_loop *loop)
{
    swp_loop_op *ops = NULL;
    const int unit = unit_of(loop);
    SWP_TRY(add_unit(ctx, unit, loop));
    SWP_TRY(SWP_TAKE(ctx, loop->op_count, &ops));
    for (size_t i = 0; i < loop->op_count; i++) {
        ops[i] = loop->ops[i];
        SWP_TRY(
            set_op(ctx, target, unit, swp_ir_loop_role_completion(loop, &loop->ops[i]), &ops[i]));
    }
    loop->ops = ops;
    for (size_t i = 0; i < loop->op_count; i++)
        SWP_TRY(hold_updates(ctx, loop, (int)i, &ops[i]));
    return SWP_OK;
}
