/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses counters, groups and mbarriers that a target does not have (docs/loops.md, "What counts an access"). */
#include "target/completions.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"

/* Returns what the op completes by: an object by its name, any counter, or what warp roles alone have. */
static swp_completion completion_of(const swp_loop *loop, const swp_loop_op *op)
{
    if (op->completion == SWP_COMPLETION_COUNTER || op->completion == SWP_COMPLETION_STORE_GROUP)
        return op->completion;
    return swp_ir_completion_of(swp_ir_completion_kind(op->completion),
                                swp_ir_loop_wait_of(loop, op));
}

/* Writes "`vmcnt` (loads and stores of global memory), `lgkmcnt` (LDS)". */
static swp_status list_completions(swp_context *ctx, const swp_target *target, char **out)
{
    swp_text text = {.ctx = ctx};
    const char *between = "";
    swp_text_format(&text, "%s has ", target->name);
    for (swp_completion c = 0; c < SWP_COMPLETION_COUNT; c++) {
        if (!target->completions[c])
            continue;
        swp_text_format(&text, "%s`%s` (%s)", between, swp_completion_name(c),
                        target->completions[c]);
        between = ", ";
    }
    swp_text_format(&text, "; `completion: none` is for what is done when its macro ends");
    return swp_text_end(&text, out, NULL);
}

/* Reports the first op whose completion the target does not have. */
static swp_status check(swp_context *ctx, const swp_target *target, const swp_loop *loop,
                        swp_completion completion)
{
    const swp_loop_op *first = NULL;
    char others[SWP_OTHERS_SIZE];
    char *hint = NULL;
    int count = 0;
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++)
        if (completion_of(loop, op) == completion) {
            first = first ? first : op;
            count++;
        }
    if (!first)
        return SWP_OK;
    SWP_TRY(list_completions(ctx, target, &hint));
    return swp_error(ctx, SWP_E0332, first->place, hint,
                     "op %s completes by %s, which %s does not have%s", first->name,
                     swp_completion_name(completion), target->name,
                     swp_text_of_others(count - 1, "op", others));
}

swp_status swp_target_check_completions(swp_context *ctx, const swp_target *target,
                                        const swp_loop *loop)
{
    swp_status status = SWP_OK;
    for (swp_completion c = SWP_COMPLETION_COUNTER; c < SWP_COMPLETION_COUNT; c++) {
        const bool has = c == SWP_COMPLETION_NONE || target->completions[c];
        const swp_status here = has ? SWP_OK : check(ctx, target, loop, c);
        if (swp_ends_work(here))
            return here;
        status = here == SWP_OK ? status : here;
    }
    return status;
}
