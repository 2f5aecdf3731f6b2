/* SPDX-License-Identifier: Apache-2.0 */
/* What an op that runs in some iterations only may do: nothing that others count on where it does not run. */
#include "ir/loop_condition.h"

#include "base/diag.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"

bool swp_ir_loop_is_conditional(const swp_loop_op *op)
{
    return op->when.kind != SWP_WHEN_ALWAYS;
}

static bool is_in_range(const swp_loop_when *when)
{
    if (when->kind == SWP_WHEN_EVERY)
        return when->every >= 2 && when->every <= SWP_MOST_EVERY && when->offset >= 0 &&
               when->offset < when->every;
    return when->kind <= SWP_WHEN_EVERY && when->every == 0 && when->offset == 0;
}

static swp_status check_range(swp_context *ctx, const swp_loop_op *op)
{
    if (is_in_range(&op->when))
        return SWP_OK;
    return swp_error(ctx, SWP_E0331, op->place,
                     "`every` is from 2 to 65536, `offset` from 0 to one less than that",
                     "op %s would run in iterations i with i %% %d == %d", op->name, op->when.every,
                     op->when.offset);
}

/* What the macro of an op does instead, if its op has to run always. */
static const char *hint_of_completion(swp_completion completion)
{
    if (completion == SWP_COMPLETION_MATRIX_GROUP)
        return "let it run always, and let its macro skip the instructions: a group of none of "
               "them is complete at once";
    if (completion == SWP_COMPLETION_COPY_MBARRIER)
        return "let it run always, and let it copy a box outside of its tensor: the phase waits "
               "for all of its bytes";
    return "let it run always, with its accesses masked or clamped: waits count them";
}

/* What is in flight must be counted, and what is made must be there, in every iteration. */
static swp_status check_results(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op)
{
    if (swp_ir_completion_kind(op->completion) != SWP_COMPLETION_NONE)
        return swp_error(ctx, SWP_E0331, op->place, hint_of_completion(op->completion),
                         "op %s does not always run, but its completion is `%s`", op->name,
                         swp_completion_name(op->completion));
    if (op->reads_global || op->writes_global)
        return swp_error(ctx, SWP_E0331, op->place, "let an op that always runs do that",
                         "op %s does not always run, but %s global memory", op->name,
                         op->reads_global ? "reads" : "writes");
    if (op->write_count > 0)
        return swp_error(
            ctx, SWP_E0331, op->place,
            "let an op that always runs write it, and this one update it: where it does not run, "
            "the value stays as it is",
            "op %s does not always run, but writes %s", op->name, loop->values[op->writes[0]].name);
    return SWP_OK;
}

static swp_status check_space(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                              const char *does, int value)
{
    if (loop->values[value].space == SWP_SPACE_REGISTERS)
        return SWP_OK;
    return swp_error(ctx, SWP_E0331, op->place,
                     "let an op that always runs bring it to registers, or take it from there",
                     "op %s does not always run, but %s %s in shared memory", op->name, does,
                     loop->values[value].name);
}

/* Where the op does not run, the version before has to be the one of this iteration, in its slot. */
static swp_status check_slots(swp_context *ctx, const swp_loop *loop, int index, int value)
{
    const swp_loop_op *op = &loop->ops[index];
    const int most = swp_ir_loop_most_slots(loop, value);
    if (swp_ir_loop_first_maker(loop, value) != index || most == 1)
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0331, op->place,
        "give the value one slot, or let an op that always runs make its version first",
        "op %s does not always run, but makes each version of %s first, which may "
        "have %d slots",
        op->name, loop->values[value].name, most);
}

swp_status swp_ir_loop_check_condition(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    SWP_TRY(check_range(ctx, op));
    if (!swp_ir_loop_is_conditional(op))
        return SWP_OK;
    SWP_TRY(check_results(ctx, loop, op));
    for (size_t i = 0; i < op->read_count; i++)
        SWP_TRY(check_space(ctx, loop, op, "reads", op->reads[i].value));
    for (size_t i = 0; i < op->update_count; i++) {
        SWP_TRY(check_space(ctx, loop, op, "updates", op->updates[i]));
        SWP_TRY(check_slots(ctx, loop, index, op->updates[i]));
    }
    return SWP_OK;
}

void swp_ir_loop_put_condition(swp_text *text, const swp_loop_op *op)
{
    if (op->when.kind == SWP_WHEN_EVERY)
        swp_text_format(text, "i %% %d == %d", op->when.every, op->when.offset);
    else
        swp_text_format(text, "%s", swp_when_name(op->when.kind));
}
