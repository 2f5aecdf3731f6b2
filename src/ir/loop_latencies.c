/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses latencies of single dependences that mean nothing (docs/loops.md, "Latencies of single dependences"). */
#include "ir/loop_latencies.h"

#include "base/diag.h"
#include "ir/completions.h"
#include "ir/loop_dataflow.h"

/* An op takes a value so many cycles after its maker's issue. */
typedef struct early_use {
    const swp_loop *loop;
    const swp_loop_op *op;
    const char *value;
    const swp_loop_op *maker; /* NULL: an input */
    int64_t latency;          /* 0: the maker's */
} early_use;

static early_use use_of(const swp_loop *loop, int op, int value, int maker, int64_t latency)
{
    return (early_use){.loop = loop,
                       .op = &loop->ops[op],
                       .value = loop->values[value].name,
                       .maker = maker == SWP_NO_OP ? NULL : &loop->ops[maker],
                       .latency = latency};
}

static swp_status check_range(swp_context *ctx, const early_use *use)
{
    if (use->latency >= 0 && use->latency <= SWP_PROBLEM_MOST)
        return SWP_OK;
    return swp_error(ctx, SWP_E0322, use->op->place, "latencies from 0",
                     "op %s reads %s %lld cycles after its maker's issue", use->op->name,
                     use->value, (long long)use->latency);
}

/* Nobody knows when an asynchronous result is there, but a wait; what hardware orders needs none. */
static swp_status check_maker(swp_context *ctx, const early_use *use)
{
    if (use->latency == 0 || !use->maker ||
        swp_ir_completion_kind(use->maker->completion) == SWP_COMPLETION_NONE ||
        (swp_ir_loop_is_in_order(use->loop, use->op) &&
         swp_ir_loop_is_in_order(use->loop, use->maker)))
        return SWP_OK;
    return swp_error(ctx, SWP_E0322, use->op->place,
                     "leave the `latency` of the dependence out: a wait says when it is there",
                     "op %s reads %s %lld cycles after the issue of %s, which is asynchronous",
                     use->op->name, use->value, (long long)use->latency, use->maker->name);
}

/* The maker's latency is when all others have it. */
static swp_status check_early(swp_context *ctx, const early_use *use)
{
    if (use->latency == 0 || !use->maker || use->latency <= use->maker->latency)
        return SWP_OK;
    return swp_error(
        ctx, SWP_E0322, use->op->place,
        "leave the `latency` of the dependence out, or raise that of the maker, and say "
        "of its other readers that they are sooner",
        "op %s reads %s %lld cycles after the issue of %s, whose latency is %lld", use->op->name,
        use->value, (long long)use->latency, use->maker->name, (long long)use->maker->latency);
}

/* What it makes of a result that it takes early must not be there before that result. */
static swp_status check_landing(swp_context *ctx, const early_use *use)
{
    if (use->latency == 0 || !use->maker || use->latency + use->op->latency >= use->maker->latency)
        return SWP_OK;
    return swp_error(ctx, SWP_E0322, use->op->place,
                     "results of one slot land in order: raise its own latency or that of the "
                     "dependence",
                     "op %s updates %s %lld cycles after the issue of %s, and its own result is "
                     "there %lld cycles later, but that of %s is there after %lld",
                     use->op->name, use->value, (long long)use->latency, use->maker->name,
                     (long long)use->op->latency, use->maker->name, (long long)use->maker->latency);
}

static swp_status check_use(swp_context *ctx, const early_use *use)
{
    SWP_TRY(check_range(ctx, use));
    SWP_TRY(check_maker(ctx, use));
    return check_early(ctx, use);
}

swp_status swp_ir_loop_check_latencies(swp_context *ctx, const swp_loop *loop, int index)
{
    const swp_loop_op *op = &loop->ops[index];
    for (size_t i = 0; i < op->read_count; i++) {
        const swp_loop_read *read = &op->reads[i];
        const int maker = read->distance == 0 ? swp_ir_loop_maker_before(loop, read->value, index)
                                              : swp_ir_loop_last_maker(loop, read->value);
        const early_use use = use_of(loop, index, read->value, maker, read->latency);
        SWP_TRY(check_use(ctx, &use));
    }
    for (size_t i = 0; i < op->update_count && op->update_latencies; i++) {
        const int value = op->updates[i];
        const int before = swp_ir_loop_maker_before(loop, value, index);
        const int maker = before == SWP_NO_OP ? swp_ir_loop_last_maker(loop, value) : before;
        const early_use use = use_of(loop, index, value, maker, op->update_latencies[i]);
        SWP_TRY(check_use(ctx, &use));
        SWP_TRY(check_landing(ctx, &use));
    }
    return SWP_OK;
}
