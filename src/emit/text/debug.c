/* SPDX-License-Identifier: Apache-2.0 */
/* Writes entries, phases and blocks of a program as lines of text (the published debug module). */
#include "swp/reference.h"

#include "base/require.h"
#include "base/text.h"
#include "emit/text/row.h"
#include "ir/entry.h"

/* This is wide enough for the names of the built-in kernels; a longer name shifts only its own line. */
static const swp_row_style style = {.prefix = "", .name_width = 12, .grid = true};

static void add_entry(swp_text *text, const char *prefix, const swp_entry *entry,
                      const swp_op_namer *namer)
{
    char buffer[SWP_OP_NAME_SIZE];
    swp_row_style row = style;
    row.prefix = prefix;
    swp_emit_row_add(text, &row, entry, swp_op_name(namer, entry->op.tag, buffer));
}

swp_status swp_dump_entry(swp_context *ctx, const char *prefix, const swp_entry *entry,
                          const swp_op_namer *namer, char **text)
{
    SWP_REQUIRE(ctx, ctx && entry && text);
    swp_text line = {.ctx = ctx};
    add_entry(&line, prefix ? prefix : "", entry, namer);
    return swp_text_end(&line, text, NULL);
}

static const char *plural(size_t count)
{
    return count == 1 ? "y" : "ies";
}

swp_status swp_dump_phase(swp_context *ctx, const char *title, const swp_entry_list *entries,
                          const swp_op_namer *namer, char **text)
{
    SWP_REQUIRE(ctx, ctx && title && entries && text);
    swp_text lines = {.ctx = ctx};
    const swp_sync_counts counts = swp_count_sync(entries);
    swp_text_format(&lines, "%s: %zu entr%s, %d vm and %d lgkm waits (%d merged), %d barrier%s\n",
                    title, entries->count, plural(entries->count), counts.vm_waits,
                    counts.lgkm_waits, counts.merged_waits, counts.barriers,
                    counts.barriers == 1 ? "" : "s");
    for (size_t i = 0; i < entries->count; i++)
        add_entry(&lines, "", &entries->items[i], namer);
    return swp_text_end(&lines, text, NULL);
}

/* Writes one slot of a block; an empty one is left out. */
static void add_slot(swp_text *text, const char *slot, const swp_op *op, bool is_prefetch,
                     const swp_op_namer *namer)
{
    if (!swp_op_present(op))
        return;
    char buffer[SWP_OP_NAME_SIZE];
    const char *name = swp_op_name(namer, op->tag, buffer);
    swp_text_format(text, "  %-16s  %s", slot, name);
    if (!swp_ir_is_work(op)) {
        swp_text_format(text, "(%d)\n", op->wait_value);
        return;
    }
    const bool is_compute = op->role == SWP_COMPUTE;
    swp_text_format(text, "  %s %d  %s %d", is_compute ? "row" : "slot", op->stage,
                    is_compute ? "col" : "sub", op->subtile);
    if (op->k_offset != SWP_K_NONE)
        swp_text_format(text, "  %s", swp_emit_row_k(op->k_offset));
    swp_text_format(text, "%s\n", is_prefetch ? "  prefetch" : "");
}

static void add_flags(swp_text *text, const swp_mma_block *block)
{
    swp_text_format(text, "  %-16s ", "flags");
#define FLAG(name, value)                                                                          \
    if (block->name)                                                                               \
        swp_text_format(text, " %s", #name);
    SWP_BLOCK_FLAGS(FLAG)
#undef FLAG
    swp_text_add(text, "\n", 1);
}

static void add_block(swp_text *text, size_t index, const swp_mma_block *block,
                      const swp_op_list *ops, const swp_op_namer *namer)
{
    swp_text_format(text, "block %zu\n", index);
    add_slot(text, "entry_wait", &block->entry_wait, false, namer);
    add_slot(text, "entry_wait_lgkm", &block->entry_wait_lgkm, false, namer);
    for (size_t i = 0; i < block->frags.count; i++)
        add_slot(text, "fragment load", &block->frags.items[i], false, namer);
    for (size_t i = 0; i < block->globals.count; i++)
        add_slot(text, "global load", &block->globals.items[i].op,
                 block->globals.items[i].is_prefetch, namer);
    add_slot(text, "pre_sync", &block->pre_sync, false, namer);
    add_slot(text, "mma", &block->mma, false, namer);
    add_slot(text, "fused_mma", &block->fused_mma, false, namer);
    add_flags(text, block);
    for (size_t i = 0; ops && i < ops->count; i++)
        add_slot(text, i == 0 ? "explicit" : "", &ops->items[i], false, namer);
}

swp_status swp_dump_program_blocks(swp_context *ctx, const swp_program *program,
                                   const swp_op_namer *namer, char **text)
{
    SWP_REQUIRE(ctx, ctx && program && text);
    swp_text lines = {.ctx = ctx};
    const swp_op_lists *lists = &program->explicit_blocks;
    swp_text_format(&lines, "program: %zu blocks%s\n", program->blocks.count,
                    program->trailing_barrier ? ", a barrier after the last" : "");
    for (size_t i = 0; i < program->blocks.count; i++)
        add_block(&lines, i, &program->blocks.items[i], i < lists->count ? &lists->items[i] : NULL,
                  namer);
    return swp_text_end(&lines, text, NULL);
}
