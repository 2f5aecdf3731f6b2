/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting ops: the body builder, pipes and entries (docs/c-api.md, "Three ways in"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "swp/body.h"
#include "swp/reference.h"

struct swp_body {
    swp_context *ctx;
    swp_op_list ops;
    swp_status status;
};

struct swp_pipe {
    swp_context *ctx;
    swp_op_list ops;
    swp_status status;
};

void swp_op_stamp(swp_op *op, const swp_op_cost *cost)
{
    SWP_REQUIRE_OR(, op && cost);
    op->resource = cost->resource;
    op->latency = cost->latency;
    op->role = cost->role;
    op->vgpr_def = cost->vgpr_def;
    op->vgpr_kill = cost->vgpr_kill;
}

void swp_annotate_ops(swp_op *ops, size_t count, const swp_cost_model *model)
{
    SWP_REQUIRE_OR(, ops && model);
    for (size_t i = 0; i < count; i++)
        if (ops[i].tag >= 0 && ops[i].tag < SWP_KERNEL_TAGS)
            swp_op_stamp(&ops[i], &model->costs[ops[i].tag]);
}

swp_body *swp_body_new(swp_context *ctx)
{
    SWP_REQUIRE_OR(NULL, ctx);
    swp_body *body = NULL;
    if (SWP_TAKE(ctx, 1, &body) != SWP_OK)
        return NULL;
    body->ctx = ctx;
    return body;
}

static void add(swp_body *body, swp_op op)
{
    if (body->status == SWP_OK)
        body->status = SWP_PUSH(body->ctx, &body->ops, op);
}

static swp_op from_args(swp_op_args args, swp_k_offset k_offset)
{
    return swp_op_logical(args.tag, args.channel, args.stage, args.subtile, k_offset);
}

void swp_body_load(swp_body *body, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    add(body, from_args(args, args.k_offset));
}

void swp_body_store(swp_body *body, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    add(body, from_args(args, SWP_K_NONE));
}

void swp_body_frag(swp_body *body, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    add(body, from_args(args, SWP_K_NONE));
}

void swp_body_compute(swp_body *body, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    args.channel = -1;
    add(body, from_args(args, SWP_K_NONE));
}

void swp_body_barrier(swp_body *body)
{
    SWP_REQUIRE_OR(, body);
    add(body, swp_op_barrier());
}

static bool counts_are_positive(swp_body *body, const char *what, int a, int b)
{
    if (a > 0 && b > 0)
        return true;
    if (body->status == SWP_OK)
        body->status = swp_error(body->ctx, SWP_E0301, SWP_NOWHERE, "use 1 or more",
                                 "%s of %d x %d ops", what, a, b);
    return false;
}

void swp_body_fan(swp_body *body, int count, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    if (!counts_are_positive(body, "a fan", count, 1))
        return;
    for (args.subtile = 0; args.subtile < count; args.subtile++)
        add(body, from_args(args, SWP_K_NONE));
}

void swp_body_grid(swp_body *body, int rows, int columns, swp_op_args args)
{
    SWP_REQUIRE_OR(, body);
    if (!counts_are_positive(body, "a grid", rows, columns))
        return;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            add(body, swp_op_logical(args.tag, -1, row, column, SWP_K_NONE));
}

void swp_body_extend(swp_body *body, const swp_op *ops, size_t count)
{
    SWP_REQUIRE_OR(, body && (ops || count == 0));
    for (size_t i = 0; i < count; i++)
        add(body, ops[i]);
}

swp_status swp_body_done(swp_body *body, swp_op_list *ops)
{
    SWP_REQUIRE(NULL, body && ops);
    SWP_TRY(body->status);
    *ops = body->ops;
    body->ops = (swp_op_list){0};
    return SWP_OK;
}

swp_pipe *swp_pipe_new(swp_context *ctx)
{
    SWP_REQUIRE_OR(NULL, ctx);
    swp_pipe *pipe = NULL;
    if (SWP_TAKE(ctx, 1, &pipe) != SWP_OK)
        return NULL;
    pipe->ctx = ctx;
    return pipe;
}

swp_pipe *swp_pipe_then(swp_pipe *pipe, swp_op op)
{
    SWP_REQUIRE_OR(NULL, pipe);
    if (pipe->status == SWP_OK)
        pipe->status = SWP_PUSH(pipe->ctx, &pipe->ops, op);
    return pipe;
}

swp_pipe *swp_pipe_join(swp_pipe *pipe, const swp_pipe *other)
{
    SWP_REQUIRE_OR(NULL, pipe && other);
    if (pipe->status == SWP_OK)
        pipe->status = other->status;
    /* A pipe may be joined to itself: its length is taken first. */
    const size_t count = other->ops.count;
    for (size_t i = 0; i < count && pipe->status == SWP_OK; i++)
        (void)swp_pipe_then(pipe, other->ops.items[i]);
    return pipe;
}

swp_pipe *swp_annotate_pipe(swp_pipe *pipe, const swp_cost_model *model)
{
    SWP_REQUIRE_OR(NULL, pipe && model);
    swp_annotate_ops(pipe->ops.items, pipe->ops.count, model);
    return pipe;
}

swp_status swp_pipe_ops(const swp_pipe *pipe, swp_op_list *ops)
{
    SWP_REQUIRE(NULL, pipe && ops);
    SWP_TRY(pipe->status);
    *ops = (swp_op_list){0};
    for (size_t i = 0; i < pipe->ops.count; i++)
        SWP_TRY(SWP_PUSH(pipe->ctx, ops, pipe->ops.items[i]));
    return SWP_OK;
}

swp_status swp_pipe_entries(const swp_pipe *pipe, swp_phase phase, int offset,
                            swp_entry_list *entries)
{
    SWP_REQUIRE(NULL, pipe && entries);
    SWP_TRY(pipe->status);
    for (size_t i = 0; i < pipe->ops.count; i++) {
        const swp_entry entry = {pipe->ops.items[i], offset + (int)i, phase, false};
        SWP_TRY(SWP_PUSH(pipe->ctx, entries, entry));
    }
    return SWP_OK;
}

swp_entry_builder swp_entry_builder_new(swp_context *ctx, swp_phase phase)
{
    SWP_REQUIRE_OR((swp_entry_builder){0}, ctx);
    return (swp_entry_builder){.ctx = ctx, .phase = phase};
}

swp_status swp_entry_builder_emit(swp_entry_builder *builder, swp_op op, bool is_prefetch)
{
    SWP_REQUIRE(NULL, builder);
    const swp_entry entry = {op, (int)builder->entries.count, builder->phase, is_prefetch};
    return SWP_PUSH(builder->ctx, &builder->entries, entry);
}
