/* SPDX-License-Identifier: Apache-2.0 */
/* Implements mma_block_interleave and double_buffer_reorder (docs/descriptions.md, "reorder"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "swp/body.h"
#include "swp/reference.h"

typedef struct interleaver {
    swp_context *ctx;
    const swp_op *ops;
    size_t count;
    const swp_pipeline_config *config;
    bool *taken;
    int *rows; /* rows and columns that an MMA has already opened */
    int *columns;
    size_t row_count;
    size_t column_count;
    swp_op_list *out;
} interleaver;

static bool contains(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static swp_status take(interleaver *in, size_t index)
{
    in->taken[index] = true;
    return SWP_PUSH(in->ctx, in->out, in->ops[index]);
}

/* Takes the first fragment of a channel and subtile, whatever its slot. */
static swp_status take_fragment(interleaver *in, int channel, int subtile, int *taken)
{
    for (size_t i = 0; i < in->count; i++) {
        const swp_op *op = &in->ops[i];
        if (in->taken[i] || op->role != SWP_FRAGMENT_LOAD || op->channel != channel ||
            op->subtile != subtile)
            continue;
        ++*taken;
        return take(in, i);
    }
    return SWP_OK;
}

static swp_status take_fragments(interleaver *in, const swp_op *mma, bool new_row, bool new_column,
                                 int *taken)
{
    const bool b_first = in->config->frag_order == SWP_B_BEFORE_A;
    for (int i = 0; i < 2; i++) {
        const bool column = (i == 0) == b_first;
        if (column && new_column)
            SWP_TRY(take_fragment(in, 1, mma->subtile, taken));
        if (!column && new_row)
            SWP_TRY(take_fragment(in, 0, mma->stage, taken));
    }
    return SWP_OK;
}

static int loads_of_block(const swp_block_sizing *sizing, bool new_row, int fragments)
{
    int available = (new_row ? sizing->heavy : sizing->light) - fragments - 1;
    if (available < 0)
        available = 0;
    if (sizing->max_globals == 0)
        return available;
    if (available < 1)
        return 1;
    return available > sizing->max_globals ? sizing->max_globals : available;
}

static swp_status take_loads(interleaver *in, int loads)
{
    for (size_t i = 0; i < in->count && loads > 0; i++) {
        if (in->taken[i] || in->ops[i].role != SWP_GLOBAL_LOAD)
            continue;
        SWP_TRY(take(in, i));
        loads--;
    }
    return SWP_OK;
}

static swp_status place_mma(interleaver *in, size_t index)
{
    const swp_op *mma = &in->ops[index];
    const bool new_row = !contains(in->rows, in->row_count, mma->stage);
    const bool new_column = !contains(in->columns, in->column_count, mma->subtile);
    int fragments = 0;
    SWP_TRY(take_fragments(in, mma, new_row, new_column, &fragments));
    SWP_TRY(take_loads(in, loads_of_block(&in->config->block_sizing, new_row, fragments)));
    if (new_row)
        in->rows[in->row_count++] = mma->stage;
    if (new_column)
        in->columns[in->column_count++] = mma->subtile;
    return take(in, index);
}

static swp_status report_left_over(interleaver *in, size_t index)
{
    const swp_op *op = &in->ops[index];
    char buffer[SWP_OP_NAME_SIZE];
    const char *name = swp_op_name(&in->ctx->op_namer, op->tag, buffer);
    if (op->role == SWP_GLOBAL_LOAD)
        return swp_error_about(
            in->ctx, SWP_E0308, "pipeline.heavy", "raise pipeline.heavy, .light or .max_globals",
            "load %zu (%s) finds no block: heavy %d, light %d, max_globals %d leave "
            "no room",
            index, name, in->config->block_sizing.heavy, in->config->block_sizing.light,
            in->config->block_sizing.max_globals);
    if (op->role == SWP_FRAGMENT_LOAD)
        return swp_error(in->ctx, SWP_E0308, SWP_NOWHERE,
                         "each row needs one fragment of channel 0, each column one of channel 1",
                         "fragment load %zu (%s, channel %d, subtile %d) feeds no MMA of its own",
                         index, name, op->channel, op->subtile);
    return swp_error(in->ctx, SWP_E0308, SWP_NOWHERE,
                     "the interleave takes fragment loads, global loads and COMPUTE ops",
                     "op %zu (%s) of kind %s cannot be interleaved with MMAs", index, name,
                     swp_role_name(op->role));
}

swp_status swp_mma_block_interleave_list(swp_context *ctx, const swp_op *ops, size_t count,
                                         const swp_pipeline_config *config, swp_op_list *out)
{
    SWP_REQUIRE(ctx, ctx && (ops || count == 0) && config && out);
    interleaver in = {.ctx = ctx, .ops = ops, .count = count, .config = config, .out = out};
    SWP_TRY(SWP_TAKE(ctx, count, &in.taken));
    SWP_TRY(SWP_TAKE(ctx, count, &in.rows));
    SWP_TRY(SWP_TAKE(ctx, count, &in.columns));
    for (size_t i = 0; i < count; i++)
        if (ops[i].role == SWP_COMPUTE)
            SWP_TRY(place_mma(&in, i));
    for (size_t i = 0; i < count; i++)
        if (!in.taken[i])
            return report_left_over(&in, i);
    return SWP_OK;
}

swp_pipe *swp_mma_block_interleave(swp_context *ctx, const swp_pipe *pipe,
                                   const swp_pipeline_config *config)
{
    SWP_REQUIRE_OR(NULL, ctx && pipe && config);
    swp_op_list ops = {0};
    swp_op_list ordered = {0};
    swp_pipe *out = swp_pipe_new(ctx);
    if (!out || swp_pipe_ops(pipe, &ops) != SWP_OK ||
        swp_mma_block_interleave_list(ctx, ops.items, ops.count, config, &ordered) != SWP_OK)
        return NULL;
    for (size_t i = 0; i < ordered.count; i++)
        (void)swp_pipe_then(out, ordered.items[i]);
    return out;
}

swp_status swp_double_buffer_reorder(swp_context *ctx, const swp_op *ops, size_t count,
                                     const swp_pipeline_config *config, swp_op_list *out)
{
    SWP_REQUIRE(ctx, ctx && (ops || count == 0) && config && out);
    const size_t half = count / 2;
    SWP_TRY(swp_mma_block_interleave_list(ctx, ops, half, config, out));
    return swp_mma_block_interleave_list(ctx, ops + half, count - half, config, out);
}
