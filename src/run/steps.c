/* SPDX-License-Identifier: Apache-2.0 */
/* Unrolls prologue, passes and epilogue into one list of steps for each warp group, its lag included, or warp role. */
#include "run/unroll.h"

#include "ir/entry.h"
#include "ir/implied_barriers.h"
#include "ir/roles.h"

const swp_run_manner *swp_run_manner_of(const swp_schedule *schedule)
{
    static const swp_run_manner of_waves = {.lanes = 1, .lists_by_group = true, .shares_all = true};
    static const swp_run_manner of_roles = {.lanes = SWP_RUN_LANES,
                                            .has_names = true,
                                            .waits_behind = true,
                                            .runs_ordinary = true,
                                            .reads_worst = true,
                                            .keeps_rules = true,
                                            .leaves_out_by_seed = true,
                                            .remakes_in_order = true};
    return swp_ir_has_roles(schedule) ? &of_roles : &of_waves;
}

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
    const int tag = step->action == SWP_RUN_SYNC ? step->source->tag : SWP_TAG_NONE;
    return tag == (queue % 2 == SWP_RUN_VM ? SWP_TAG_WAIT_VM : SWP_TAG_WAIT_LGKM);
}

int swp_run_largest(const swp_machine *machine, int queue)
{
    return queue == SWP_RUN_VM ? machine->vm_max : queue == SWP_RUN_LGKM ? machine->lgkm_max : 0;
}

const swp_run_step_list *swp_run_list_of(const swp_run_program *program, int instance)
{
    return &program->lists[program->sharing->list_of_instance[instance]];
}

const swp_run_operand *swp_run_find_operand(const swp_run_operand_list *list, bool in_lds,
                                            int index)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].in_lds == in_lds && list->items[i].index == index)
            return &list->items[i];
    return NULL;
}

static swp_status set_action(swp_run_unroller *u, const swp_op *op, swp_run_point at,
                             swp_run_step *step)
{
    if (!swp_ir_is_work(op) && op->role != SWP_FENCE) {
        step->action = SWP_RUN_SYNC;
        return SWP_OK;
    }
    return u->program->dataflow ? swp_run_set_op(u, op, at, step)
                                : swp_run_set_kind(u, op, at.from, step);
}

static int turn_of(const swp_run_program *program, const swp_op *op, swp_run_point at)
{
    const bool is_of_tiles = swp_ir_entry_clock(program->schedule, op) == SWP_TILE_CLOCK;
    return op->iteration + (is_of_tiles ? at.tile : at.base + at.from);
}

static swp_status add_phase(swp_run_unroller *u, const swp_stream *stream, swp_phase phase,
                            int pass, swp_run_point at)
{
    const swp_run_program *program = u->program;
    const swp_entry_list *entries = swp_stream_phase(stream, phase);
    int published = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        swp_run_step step = {.action = SWP_RUN_HINT,
                             .phase = phase,
                             .pass = pass,
                             .entry = swp_ir_is_implied(op) ? -1 : published++,
                             .queue = SWP_RUN_NO_QUEUE,
                             .limit = op->wait_value,
                             .source = op,
                             .output_tile = at.tile,
                             .turn = turn_of(program, op, at)};
        if (program->lists_of_role > 1 && !swp_ir_runs_in(op, u->list % program->lists_of_role))
            continue;
        SWP_TRY(set_action(u, op, at, &step));
        SWP_TRY(SWP_PUSH(u->ctx, &u->program->lists[u->list], step));
    }
    return SWP_OK;
}

/* Prologue, passes and epilogue; or the straight list, which stands as the epilogue. Kinds number tiles of their own. */
static swp_status unroll_passes(swp_run_unroller *u, const swp_stream *stream, int passes,
                                int tiles, swp_run_point at)
{
    const bool by_kinds = !u->program->dataflow;
    SWP_TRY(add_phase(u, stream, SWP_PROLOGUE, -1, at));
    at.from += by_kinds ? u->program->schedule->loop.first_base : 0;
    for (int pass = 0; pass < passes; pass++, at.from += tiles)
        SWP_TRY(add_phase(u, stream, SWP_KERNEL, pass, at));
    at.from = by_kinds ? at.n : at.from;
    return add_phase(u, stream, SWP_EPILOGUE, passes, at);
}

static swp_status unroll_tile(swp_run_unroller *u, int role, swp_run_point at)
{
    const swp_schedule *whole = u->program->schedule;
    const swp_schedule form = swp_schedule_form(whole, swp_schedule_form_of(whole, at.n));
    const int tiles = form.loop.tiles_per_pass;
    const int passes = tiles == 0 ? 0 : (at.n - form.loop.min_tiles) / tiles;
    const swp_run_point end = {at.tile, at.base, at.n, at.n};
    SWP_TRY(add_phase(u, &form.streams[role], SWP_BEGIN, -1, at));
    SWP_TRY(unroll_passes(u, &form.streams[role], passes, tiles, at));
    return add_phase(u, &form.streams[role], SWP_END, passes, end);
}

static swp_status unroll_list(swp_run_unroller *u, int role)
{
    const swp_run_program *program = u->program;
    const swp_run_extent *extent = &program->extent;
    const swp_stream *stream = &program->schedule->streams[role];
    swp_run_point at = {.n = program->n};
    if (!extent->tiles)
        return unroll_passes(u, stream, program->passes, program->schedule->loop.tiles_per_pass,
                             at);
    for (; at.tile < extent->tile_count; at.base += at.n, at.tile++) {
        at.n = extent->tiles[at.tile];
        SWP_TRY(unroll_tile(u, role, at));
    }
    at.n = 0;
    return add_phase(u, stream, SWP_DRAIN, -1, at);
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
        .manner = swp_run_manner_of(schedule),
        .dataflow = schedule->dataflow,
        .next_tile = next_tile,
        .slices = next_tile ? slices_of(schedule) : 1,
        .accumulators = schedule->dataflow ? 0
                        : next_tile        ? 1
                                           : loop->m_mmas * loop->n_mmas};
    out->waves_per_group = out->manner->lists_by_group ? waves_per_group : 1;
    out->lists_of_role = out->manner->lists_by_group ? schedule->machine.groups : 1;
    swp_run_unroller u = {.ctx = ctx, .program = out};
    if (next_tile)
        SWP_TRY(swp_run_add_staging(&u));
    if (schedule->dataflow)
        SWP_TRY(swp_run_add_slots(&u));
    SWP_TRY(swp_run_share_out(ctx, whole, out));
    const size_t counts = (size_t)out->accumulators + (size_t)out->slices;
    for (int list = 0; list < out->list_count; list++) {
        u = (swp_run_unroller){.ctx = ctx, .program = out, .list = list};
        SWP_TRY(SWP_TAKE(ctx, counts, &u.computed));
        SWP_TRY(unroll_list(&u, list / out->lists_of_role));
        out->products = u.computed;
    }
    return SWP_OK;
}
