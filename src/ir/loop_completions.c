/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for the completion of an op where neither it nor the spaces that the op touches say what tracks it. */
#include "base/diag.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"
#include "ir/roles.h"

/* Who forgot it is told so: the write would count as done when it issues. */
static bool hides_its_end(const swp_loop *loop, const swp_loop_op *op)
{
    return op->completion == SWP_COMPLETION_UNSTATED &&
           swp_ir_loop_makes_in(loop, op, SWP_SPACE_SHARED);
}

/* Of an asynchronous op one object or another counts the accesses, and nothing that is stated says which. */
static bool hides_its_object(const swp_loop *loop, const swp_loop_op *op)
{
    const bool is_kind = swp_ir_completion_kind(op->completion) == op->completion &&
                         op->completion != SWP_COMPLETION_STORE_GROUP;
    swp_wait_kind wait;
    return is_kind && op->completion != SWP_COMPLETION_NONE &&
           !swp_ir_loop_infers_wait(loop, op, &wait);
}

static swp_status ask_for_end(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                              const char *others)
{
    int value = 0;
    while (loop->values[value].space != SWP_SPACE_SHARED || !swp_ir_loop_makes(op, value))
        value++;
    return swp_error(
        ctx, SWP_E0329, op->place,
        "`completion: counter` (AMD), `group` (cp.async) or `mbarrier` (TMA) for an access that "
        "goes on "
        "after its issue; `completion: none` says that its macro ends when the write is done",
        "op %s writes %s in shared memory with a latency of %lld, and does not say what completes "
        "it%s",
        op->name, loop->values[value].name, (long long)op->latency, others);
}

static swp_status ask_for_object(swp_context *ctx, const swp_loop *loop, const swp_loop_op *op,
                                 const char *others)
{
    static const char *const hints[] = {
        [SWP_COMPLETION_COUNTER] = "`completion: vmcnt` if it accesses global memory, such as a "
                                   "load through an index, or name "
                                   "what it reads as a value of `space: global`; `completion: "
                                   "lgkmcnt` if it works on LDS, such "
                                   "as ds_write",
        [SWP_COMPLETION_GROUP] = "`completion: copy_group` for cp.async or a store by TMA, "
                                 "`completion: matrix_group` for wgmma",
        [SWP_COMPLETION_MBARRIER] = "`completion: copy_mbarrier` for TMA or cp.async, "
                                    "`completion: matrix_mbarrier` for matrix ops"};
    const char *hint = op->completion == SWP_COMPLETION_COUNTER && swp_ir_loop_has_roles(loop)
                           ? "warp roles have no counters: `completion: none` says that its macro "
                             "ends when all is done"
                           : hints[op->completion];
    return swp_error(
        ctx, SWP_E0330, op->place, hint,
        "op %s: what it reads and writes does not tell whether %s or %s counts it%s", op->name,
        swp_completion_name(swp_ir_completion_of(op->completion, SWP_WAIT_FOR_VM)),
        swp_completion_name(swp_ir_completion_of(op->completion, SWP_WAIT_FOR_LGKM)), others);
}

/* A mistake of several ops is told of the first. */
swp_status swp_ir_check_completions(swp_context *ctx, const swp_loop *loop)
{
    const swp_loop_op *first[2] = {NULL, NULL};
    int others[2] = {0, 0};
    char text[SWP_OTHERS_SIZE];
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++) {
        const bool hides[2] = {hides_its_end(loop, op), hides_its_object(loop, op)};
        for (int i = 0; i < 2; i++) {
            others[i] += first[i] && hides[i];
            first[i] = !first[i] && hides[i] ? op : first[i];
        }
    }
    swp_status status = SWP_OK;
    if (first[0])
        status = ask_for_end(ctx, loop, first[0], swp_text_of_others(others[0], "op", text));
    if (first[1] && !swp_ends_work(status))
        status = ask_for_object(ctx, loop, first[1], swp_text_of_others(others[1], "op", text));
    return status;
}
