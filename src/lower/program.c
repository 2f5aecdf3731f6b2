/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a pass as one list of entries (PipelineProgram; docs/schedules.md, "Expansion"). */
#include "swp/program.h"
#include "base/context.h"
#include "base/require.h"
#include "swp/reference.h"

swp_status swp_op_lists_push(swp_context *ctx, swp_op_lists *lists, swp_op_list ops)
{
    SWP_REQUIRE(ctx, ctx && lists);
    return SWP_PUSH(ctx, lists, ops);
}

/* The block's explicit ops, or NULL where the template counts. */
static const swp_op_list *explicit_ops(const swp_program *program, size_t block)
{
    if (block >= program->explicit_blocks.count || program->explicit_blocks.items[block].count == 0)
        return NULL;
    return &program->explicit_blocks.items[block];
}

static int block_entries(const swp_program *program, size_t block)
{
    const swp_op_list *ops = explicit_ops(program, block);
    return ops ? (int)ops->count : swp_mma_block_entry_count(&program->blocks.items[block]);
}

int swp_program_block_start(const swp_program *program, size_t block)
{
    SWP_REQUIRE_OR(0, program);
    int start = 0;
    for (size_t i = 0; i < block && i < program->blocks.count; i++)
        start += block_entries(program, i);
    return start;
}

int swp_program_total_entries(const swp_program *program)
{
    SWP_REQUIRE_OR(0, program);
    return swp_program_block_start(program, program->blocks.count) + program->trailing_barrier;
}

int swp_program_mma_entry(const swp_program *program, size_t block)
{
    SWP_REQUIRE_OR(0, program);
    const int start = swp_program_block_start(program, block);
    const swp_op_list *ops = explicit_ops(program, block);
    if (!ops)
        return start + swp_mma_block_mma_position(&program->blocks.items[block]);
    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].role == SWP_COMPUTE)
            return start + (int)i;
    return -1;
}

static swp_status emit_explicit(swp_entry_builder *builder, const swp_op_list *ops)
{
    for (size_t i = 0; i < ops->count; i++)
        SWP_TRY(swp_entry_builder_emit(builder, ops->items[i], false));
    return SWP_OK;
}

swp_status swp_program_expand_to_list(swp_context *ctx, const swp_program *program, swp_phase phase,
                                      swp_entry_list *entries)
{
    SWP_REQUIRE(ctx, ctx && program && entries);
    swp_entry_builder builder = swp_entry_builder_new(ctx, phase);
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_op_list *ops = explicit_ops(program, i);
        SWP_TRY(ops ? emit_explicit(&builder, ops)
                    : swp_mma_block_expand(&program->blocks.items[i], &builder));
    }
    if (program->trailing_barrier)
        SWP_TRY(swp_entry_builder_emit(&builder, swp_op_barrier(), false));
    *entries = builder.entries;
    return SWP_OK;
}
