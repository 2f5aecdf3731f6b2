/* SPDX-License-Identifier: Apache-2.0 */
/* Unrolls prologue, passes and epilogue into one list of steps for each warp group, its lag included. */
#include "run/unroll.h"

#include "ir/implied_barriers.h"
#include "ir/roles.h"

bool swp_run_is_access(const swp_run_step *step)
{
    return step->action == SWP_RUN_LOAD || step->action == SWP_RUN_STORE ||
           step->action == SWP_RUN_FRAGMENT || step->action == SWP_RUN_OP;
}

bool swp_run_is_queued(const swp_run_step *step)
{
    return swp_run_is_access(step) && step->queue != SWP_RUN_NO_QUEUE;
}

bool swp_run_waits_for(const swp_run_step *step, int queue)
{
    const int of_pair = step->action == SWP_RUN_WAIT_VM     ? SWP_RUN_VM
                        : step->action == SWP_RUN_WAIT_LGKM ? SWP_RUN_LGKM
                                                            : SWP_RUN_NO_QUEUE;
    return queue % 2 == of_pair;
}

int swp_run_largest(const swp_machine *machine, int queue)
{
    return queue == SWP_RUN_VM ? machine->vm_max : queue == SWP_RUN_LGKM ? machine->lgkm_max : 0;
}

const swp_run_operand *swp_run_find_operand(const swp_run_operand_list *list, bool in_lds,
                                            int index)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].in_lds == in_lds && list->items[i].index == index)
            return &list->items[i];
    return NULL;
}

static void set_sync(const swp_op *op, swp_run_step *step)
{
    step->action = op->tag == SWP_TAG_BARRIER   ? SWP_RUN_BARRIER
                   : op->tag == SWP_TAG_WAIT_VM ? SWP_RUN_WAIT_VM
                                                : SWP_RUN_WAIT_LGKM;
    step->limit = op->wait_value;
}

static swp_status set_action(swp_run_unroller *u, const swp_op *op, int base, swp_run_step *step)
{
    if (op->role == SWP_SYNC) {
        set_sync(op, step);
        return SWP_OK;
    }
    const swp_run_point at = {.n = u->program->n, .from = base};
    return u->program->dataflow ? swp_run_set_op(u, op, at, step)
                                : swp_run_set_kind(u, op, base, step);
}

static swp_run_step step_at(swp_phase phase, int pass, int entry)
{
    return (swp_run_step){.action = SWP_RUN_HINT,
                          .phase = phase,
                          .pass = pass,
                          .entry = entry,
                          .queue = SWP_RUN_NO_QUEUE};
}

static swp_status add_phase(swp_run_unroller *u, swp_phase phase, int pass, int base)
{
    const swp_entry_list *entries = swp_schedule_phase(u->program->schedule, phase);
    int published = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        swp_run_step step = step_at(phase, pass, swp_ir_is_implied(op) ? -1 : published++);
        if (!swp_ir_runs_in(op, u->group))
            continue;
        SWP_TRY(set_action(u, op, base, &step));
        SWP_TRY(SWP_PUSH(u->ctx, &u->program->groups[u->group], step));
    }
    return SWP_OK;
}

static swp_status unroll_group(swp_run_unroller *u)
{
    const swp_run_program *program = u->program;
    const swp_loop_shape *loop = &program->schedule->loop;
    const int counts = program->accumulators + program->slices;
    SWP_TRY(SWP_TAKE(u->ctx, (size_t)counts, &u->computed));
    u->program->products = u->computed;
    const bool dataflow = program->dataflow != NULL;
    int base = dataflow ? 0 : loop->first_base;
    SWP_TRY(add_phase(u, SWP_PROLOGUE, -1, 0));
    for (int pass = 0; pass < program->passes; pass++, base += loop->tiles_per_pass)
        SWP_TRY(add_phase(u, SWP_KERNEL, pass, base));
    return add_phase(u, SWP_EPILOGUE, program->passes, dataflow ? base : program->n);
}

/* As many as the fragments and COMPUTEs tell apart. */
static int slices_of(const swp_schedule *schedule)
{
    int slices = 1;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++) {
        const swp_entry_list *entries = swp_schedule_phase(schedule, phase);
        for (size_t i = 0; i < entries->count; i++) {
            const swp_op *op = &entries->items[i].op;
            if (op->role == SWP_FRAGMENT_LOAD || op->role == SWP_COMPUTE)
                slices = op->subtile + 1 > slices ? op->subtile + 1 : slices;
        }
    }
    return slices;
}

swp_status swp_run_unroll(swp_context *ctx, const swp_schedule *whole, const swp_schedule *schedule,
                          const swp_run_extent *extent, int waves_per_group, swp_run_program *out)
{
    const int n = extent->n;
    const swp_loop_shape *loop = &schedule->loop;
    const bool next_tile = !schedule->dataflow && loop->placement == SWP_PLACE_NEXT_TILE;
    *out = (swp_run_program){
        .schedule = schedule,
        .n = n,
        .extent = *extent,
        .rows = n > extent->tile_count ? n : extent->tile_count,
        .passes = loop->tiles_per_pass == 0 ? 0 : (n - loop->min_tiles) / loop->tiles_per_pass,
        .waves_per_group = waves_per_group,
        .waves = waves_per_group * schedule->machine.groups,
        .dataflow = schedule->dataflow,
        .next_tile = next_tile,
        .slices = next_tile ? slices_of(schedule) : 1,
        .accumulators = schedule->dataflow ? 0
                        : next_tile        ? 1
                                           : loop->m_mmas * loop->n_mmas};
    swp_run_unroller u = {.ctx = ctx, .program = out};
    if (next_tile)
        SWP_TRY(swp_run_add_staging(&u));
    if (schedule->dataflow)
        SWP_TRY(swp_run_add_slots(&u));
    if (swp_ir_has_roles(schedule))
        return swp_run_unroll_roles(ctx, whole, out);
    for (int group = 0; group < schedule->machine.groups; group++) {
        u = (swp_run_unroller){.ctx = ctx, .program = out, .group = group};
        SWP_TRY(unroll_group(&u));
    }
    return SWP_OK;
}
