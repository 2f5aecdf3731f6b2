/* SPDX-License-Identifier: Apache-2.0 */
/* Ops whose kinds say what they do: a GEMM's loads, stores, fragment loads and COMPUTEs. */
#include "run/unroll.h"

/* The number of a place, which is added if it is new. */
static swp_status number_of(swp_context *ctx, swp_run_place_list *list, swp_run_place place,
                            int *out)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_run_place *known = &list->items[i];
        *out = (int)i;
        if (known->channel == place.channel && known->stage == place.stage &&
            known->subtile == place.subtile)
            return SWP_OK;
    }
    *out = (int)list->count;
    return SWP_PUSH(ctx, list, place);
}

/* One operand, where the step is there for its tile. */
static swp_status add(swp_run_unroller *u, swp_run_operand_list *list, bool in_lds, int index,
                      int tile)
{
    const swp_run_operand operand = {.in_lds = in_lds, .index = index, .tile = tile};
    if (!list->items) /* most have one, and there are many steps */
        SWP_TRY(SWP_TAKE(u->ctx, 1, &list->items));
    list->capacity = list->capacity ? list->capacity : 1;
    return SWP_PUSH(u->ctx, list, operand);
}

static swp_status add_place(swp_run_unroller *u, swp_run_operand_list *list, swp_run_place place,
                            int tile)
{
    int index = 0;
    SWP_TRY(number_of(u->ctx, &u->program->places, place, &index));
    return add(u, list, true, index, tile);
}

static swp_status add_register(swp_run_unroller *u, swp_run_operand_list *list, int channel,
                               int subtile, int tile)
{
    int index = 0;
    const swp_run_place place = {channel, -1, subtile};
    SWP_TRY(number_of(u->ctx, &u->program->registers, place, &index));
    return add(u, list, false, index, tile);
}

swp_status swp_run_add_staging(swp_run_unroller *u)
{
    int index = 0;
    return number_of(u->ctx, &u->program->registers, (swp_run_place){-1, -1, 0}, &index);
}

/* A number of 0 is unset, and every access is counted at least once (docs/verification.md, "The machine"). */
static void set_access(swp_run_step *step, swp_run_action action, int queue, int accesses)
{
    step->action = action;
    step->queue = queue;
    step->cost = accesses > 0 ? accesses : 1;
}

static swp_status set_load(swp_run_unroller *u, const swp_op *op, int base, swp_run_step *step)
{
    set_access(step, SWP_RUN_LOAD, SWP_RUN_VM, op->vm_cost);
    if (u->program->next_tile) {
        step->tile = u->loaded++;
        step->is_outside = step->tile >= u->program->n;
        return add(u, &step->writes, false, 0, step->tile);
    }
    step->tile = base + swp_k_multiple(op->k_offset);
    step->is_outside = step->tile < 0 || step->tile >= u->program->n;
    const swp_run_place place = {op->channel, op->stage, op->subtile};
    return add_place(u, &step->writes, place, step->tile);
}

static swp_status set_fragment(swp_run_unroller *u, const swp_op *op, swp_run_step *step)
{
    const bool next_tile = u->program->next_tile;
    const swp_run_place one = {0, 0, 0};
    const swp_run_place place = {op->channel, op->stage, op->subtile};
    set_access(step, SWP_RUN_FRAGMENT, SWP_RUN_LGKM, op->lgkm_cost);
    step->slice = next_tile ? op->subtile : 0;
    SWP_TRY(add_place(u, &step->reads, next_tile ? one : place, 0));
    return add_register(u, &step->writes, next_tile ? 0 : op->channel, op->subtile, 0);
}

static swp_status set_store(swp_run_unroller *u, const swp_op *op, swp_run_step *step)
{
    set_access(step, SWP_RUN_STORE, SWP_RUN_LGKM, op->lgkm_cost);
    step->tile = u->stored++;
    SWP_TRY(add(u, &step->reads, false, 0, step->tile));
    return add_place(u, &step->writes, (swp_run_place){0, 0, 0}, step->tile);
}

static swp_status set_compute(swp_run_unroller *u, const swp_op *op, swp_run_step *step)
{
    const swp_run_program *program = u->program;
    step->action = SWP_RUN_COMPUTE;
    if (program->next_tile) {
        step->accumulator = 0;
        step->slice = op->subtile;
        step->tile = u->computed[op->subtile]++;
        return add_register(u, &step->reads, 0, op->subtile, step->tile);
    }
    step->accumulator = op->stage * program->schedule->loop.n_mmas + op->subtile;
    step->tile = u->computed[step->accumulator]++;
    SWP_TRY(add_register(u, &step->reads, 0, op->stage, step->tile));
    return add_register(u, &step->reads, 1, op->subtile, step->tile);
}

swp_status swp_run_set_kind(swp_run_unroller *u, const swp_op *op, int base, swp_run_step *step)
{
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
        return set_load(u, op, base, step);
    case SWP_SHARED_STORE:
        return set_store(u, op, step);
    case SWP_FRAGMENT_LOAD:
        return set_fragment(u, op, step);
    case SWP_COMPUTE:
        return set_compute(u, op, step);
    case SWP_SYNC:
    case SWP_FENCE:
    case SWP_VALU_COMPUTE:
    case SWP_ROLE_NONE:
        break;
    }
    return SWP_OK;
}
