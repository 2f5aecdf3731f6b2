/* SPDX-License-Identifier: Apache-2.0 */
/* The prologue of a double buffer (docs/schedules.md, "Prologue"). */
#include "base/context.h"
#include "base/diag.h"
#include "base/require.h"
#include "swp/phase.h"

/* The prefetch loads of one slot in block order, as the prologue issues them. */
static swp_status collect(swp_context *ctx, const swp_program *program,
                          const swp_pipeline_config *config, int stage, swp_op_list *loads)
{
    for (size_t i = 0; i < program->blocks.count; i++) {
        const swp_block_load_list *globals = &program->blocks.items[i].globals;
        for (size_t j = 0; j < globals->count; j++) {
            swp_op op = globals->items[j].op;
            if (!globals->items[j].is_prefetch || op.stage != stage)
                continue;
            op.k_offset = stage == 0 ? SWP_K0 : SWP_K1;
            op.vm_cost = swp_vm_per_channel(config, op.channel);
            SWP_TRY(SWP_PUSH(ctx, loads, op));
        }
    }
    return SWP_OK;
}

static swp_status emit_all(swp_entry_builder *out, const swp_op_list *ops, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        SWP_TRY(swp_entry_builder_emit(out, ops->items[i], false));
    return SWP_OK;
}

/* Each slot is filled before the next is asked for. */
static swp_status emit_by_stage(swp_entry_builder *out, const swp_op_list *loads,
                                size_t first_stage)
{
    SWP_TRY(emit_all(out, loads, 0, first_stage));
    SWP_TRY(swp_entry_builder_emit(out, swp_op_wait_vm(0), false));
    SWP_TRY(swp_entry_builder_emit(out, swp_op_barrier(), false));
    SWP_TRY(emit_all(out, loads, first_stage, loads->count));
    return swp_entry_builder_emit(out, swp_op_wait_vm(0), false);
}

/* All loads at once; each bootstrap fragment waits for just the load that it reads. */
static swp_status emit_with_bootstrap(swp_context *ctx, swp_entry_builder *out,
                                      const swp_op_list *loads, const swp_op_list *bootstrap)
{
    if (bootstrap->count > loads->count)
        return swp_error(ctx, SWP_E0506, SWP_NOWHERE, "each bootstrap fragment waits for one load",
                         "there are %zu bootstrap fragments, but the prologue has %zu loads",
                         bootstrap->count, loads->count);
    int in_flight = 0;
    for (size_t i = 0; i < loads->count; i++)
        in_flight += loads->items[i].vm_cost;
    SWP_TRY(emit_all(out, loads, 0, loads->count));
    for (size_t i = 0; i < bootstrap->count; i++) {
        in_flight -= loads->items[i].vm_cost;
        SWP_TRY(swp_entry_builder_emit(out, swp_op_wait_vm(in_flight), false));
        SWP_TRY(swp_entry_builder_emit(out, swp_op_barrier(), false));
        SWP_TRY(swp_entry_builder_emit(out, bootstrap->items[i], false));
    }
    return SWP_OK;
}

swp_status swp_derive_prologue_from_program(swp_context *ctx, const swp_program *program,
                                            const swp_pipeline_config *config,
                                            const swp_schedule_config *sched,
                                            const swp_op_list *bootstrap, swp_entry_list *prologue)
{
    SWP_REQUIRE(ctx, ctx && program && config && sched && prologue);
    static const swp_op_list none = {0};
    swp_entry_builder out = swp_entry_builder_new(ctx, SWP_PROLOGUE);
    swp_op_list loads = {0};
    SWP_TRY(collect(ctx, program, config, 0, &loads));
    const size_t first_stage = loads.count;
    SWP_TRY(collect(ctx, program, config, 1, &loads));
    if (!bootstrap)
        bootstrap = &none;
    if (sched->partial_prologue_drain)
        SWP_TRY(emit_with_bootstrap(ctx, &out, &loads, bootstrap));
    else
        SWP_TRY(emit_by_stage(&out, &loads, first_stage));
    *prologue = out.entries;
    if (bootstrap->count > 0 && !sched->partial_prologue_drain)
        return swp_warn_about(ctx, SWP_W0202, "bootstrap", "set schedule.partial_prologue_drain",
                              "%zu bootstrap fragment%s ignored without "
                              "schedule.partial_prologue_drain",
                              bootstrap->count, bootstrap->count == 1 ? " is" : "s are");
    return SWP_OK;
}
