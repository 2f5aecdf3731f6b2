/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks each list of `alike` against the problem: its ops must be alone in their components, and
 * have the same uses.
 */
#include "certify/alike.h"

#include <stdlib.h>

/* Sorts by resource, amount and cycles. */
static int by_use(const void *a, const void *b)
{
    const swp_problem_use *x = a;
    const swp_problem_use *y = b;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    if (x->amount != y->amount)
        return x->amount < y->amount ? -1 : 1;
    return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* Lists the uses of an op that hold anything, in one order for all ops. */
static swp_status sorted_uses(swp_context *ctx, const swp_problem_op *op, swp_problem_use **out,
                              size_t *count)
{
    *count = 0;
    SWP_TRY(SWP_TAKE(ctx, op->use_count + 1, out));
    for (size_t i = 0; i < op->use_count; i++)
        if (op->uses[i].cycles > 0)
            (*out)[(*count)++] = op->uses[i];
    qsort(*out, *count, sizeof **out, by_use);
    return SWP_OK;
}

static swp_status same_uses(swp_context *ctx, const swp_problem_op *a, const swp_problem_op *b,
                            bool *same)
{
    swp_problem_use *x = NULL;
    swp_problem_use *y = NULL;
    size_t count = 0;
    size_t other = 0;
    SWP_TRY(sorted_uses(ctx, a, &x, &count));
    SWP_TRY(sorted_uses(ctx, b, &y, &other));
    *same = count == other;
    for (size_t i = 0; i < count && *same; i++)
        *same = by_use(&x[i], &y[i]) == 0;
    return SWP_OK;
}

/* Marks the ops that may stand in a list: the references that are alone, without the fixed one. */
static swp_status free_to_move(swp_context *ctx, const int *component,
                               const swp_certificate_step *step, size_t ops, bool **out)
{
    size_t *size = NULL; /* of each component */
    SWP_TRY(SWP_TAKE(ctx, ops, &size));
    SWP_TRY(SWP_TAKE(ctx, ops, out));
    for (size_t o = 0; o < ops; o++)
        size[component[o]]++;
    for (size_t i = 0; i < step->references.count; i++) {
        const int op = step->references.items[i];
        (*out)[op] = op != step->fixed && size[component[op]] == 1;
    }
    return SWP_OK;
}

swp_status swp_certify_add_alike(swp_context *ctx, swp_judgement *judgement, const int *component,
                                 const swp_certificate_step *step, swp_frame *frame)
{
    const swp_problem *problem = frame->problem;
    bool *may_move = NULL;
    SWP_TRY(free_to_move(ctx, component, step, problem->op_count, &may_move));
    for (size_t l = 0; l < step->alike.count; l++) {
        const swp_index_list *list = &step->alike.items[l];
        if (list->count < 2)
            return swp_certify_refuse(judgement, step->place,
                                      "`alike` has a list of fewer than two ops");
        for (size_t i = 0; i < list->count; i++) {
            const int op = list->items[i];
            bool same = true;
            if (op < 0 || (size_t)op >= problem->op_count || !may_move[op])
                return swp_certify_refuse(
                    judgement, step->place,
                    "`alike` has op %d, which has to be a reference, not fixed, alone "
                    "in its component and in one list only",
                    op);
            may_move[op] = false;
            if (i == 0)
                continue;
            const int before = list->items[i - 1];
            SWP_TRY(same_uses(ctx, &problem->ops[before], &problem->ops[op], &same));
            if (!same)
                return swp_certify_refuse(judgement, step->place,
                                          "ops %d and %d are not alike: they use different amounts",
                                          before, op);
            SWP_TRY(SWP_PUSH(ctx, &frame->arcs, ((swp_frame_arc){before, op, 0})));
        }
    }
    return SWP_OK;
}
