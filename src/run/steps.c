/* SPDX-License-Identifier: Apache-2.0 */
#include "run/steps.h"

#include "base/context.h"

/* What unrolling one group keeps account of. */
typedef struct unroller {
    swp_context *ctx;
    swp_run_program *program;
    int group;
    int loaded; /* loads so far, which number tiles where each takes the next one */
    int stored;
    int *computed; /* COMPUTEs so far of each accumulator, or slice */
} unroller;

bool swp_run_is_access(const swp_run_step *step)
{
    return step->action == SWP_RUN_LOAD || step->action == SWP_RUN_STORE ||
           step->action == SWP_RUN_FRAGMENT;
}

int swp_run_counter_of(const swp_run_step *step)
{
    return step->action == SWP_RUN_LOAD ? SWP_RUN_VM : SWP_RUN_LGKM;
}

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

static swp_status register_of(unroller *u, int channel, int subtile, int *out)
{
    const swp_run_place place = {channel, -1, subtile};
    return number_of(u->ctx, &u->program->registers, place, out);
}

/* A number of 0 is unset (page 1, section 1), and every access is counted at least once. */
static int counted(int accesses)
{
    return accesses > 0 ? accesses : 1;
}

static swp_status set_load(unroller *u, const swp_op *op, int base, swp_run_step *step)
{
    step->action = SWP_RUN_LOAD;
    step->cost = counted(op->vm_cost);
    if (u->program->next_tile) {
        step->writes = 0;
        step->tile = u->loaded++;
        return SWP_OK;
    }
    step->tile = base + swp_k_multiple(op->k_offset);
    const swp_run_place place = {op->channel, op->stage, op->subtile};
    return number_of(u->ctx, &u->program->places, place, &step->place);
}

static swp_status set_fragment(unroller *u, const swp_op *op, swp_run_step *step)
{
    swp_run_program *program = u->program;
    const swp_run_place one = {0, 0, 0};
    const swp_run_place place = {op->channel, op->stage, op->subtile};
    step->action = SWP_RUN_FRAGMENT;
    step->cost = counted(op->lgkm_cost);
    step->slice = program->next_tile ? op->subtile : 0;
    SWP_TRY(number_of(u->ctx, &program->places, program->next_tile ? one : place, &step->place));
    return register_of(u, program->next_tile ? 0 : op->channel, op->subtile, &step->writes);
}

static swp_status set_store(unroller *u, const swp_op *op, swp_run_step *step)
{
    step->action = SWP_RUN_STORE;
    step->cost = counted(op->lgkm_cost);
    step->reads[0] = 0;
    step->tile = u->stored++;
    return number_of(u->ctx, &u->program->places, (swp_run_place){0, 0, 0}, &step->place);
}

static swp_status set_compute(unroller *u, const swp_op *op, swp_run_step *step)
{
    const swp_run_program *program = u->program;
    step->action = SWP_RUN_COMPUTE;
    if (program->next_tile) {
        step->accumulator = 0;
        step->slice = op->subtile;
        step->tile = u->computed[op->subtile]++;
        return register_of(u, 0, op->subtile, &step->reads[0]);
    }
    step->accumulator = op->stage * program->schedule->loop.n_mmas + op->subtile;
    step->tile = u->computed[step->accumulator]++;
    SWP_TRY(register_of(u, 0, op->stage, &step->reads[0]));
    return register_of(u, 1, op->subtile, &step->reads[1]);
}

static void set_sync(const swp_machine *machine, const swp_op *op, swp_run_step *step)
{
    const bool vm = op->tag == SWP_TAG_WAIT_VM;
    const int most = vm ? machine->vm_max : machine->lgkm_max;
    step->action = op->tag == SWP_TAG_BARRIER ? SWP_RUN_BARRIER
                   : vm                       ? SWP_RUN_WAIT_VM
                                              : SWP_RUN_WAIT_LGKM;
    step->limit = op->wait_value < most ? op->wait_value : most;
}

static swp_status set_action(unroller *u, const swp_op *op, int base, swp_run_step *step)
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
        set_sync(&u->program->schedule->machine, op, step);
        return SWP_OK;
    case SWP_FENCE:
    case SWP_VALU_COMPUTE:
    case SWP_ROLE_NONE:
        break;
    }
    step->action = SWP_RUN_HINT;
    return SWP_OK;
}

static swp_run_step step_at(swp_phase phase, int pass, int entry)
{
    return (swp_run_step){.phase = phase,
                          .pass = pass,
                          .entry = entry,
                          .place = SWP_RUN_NOWHERE,
                          .writes = SWP_RUN_NOWHERE,
                          .reads = {SWP_RUN_NOWHERE, SWP_RUN_NOWHERE}};
}

static swp_status add_barrier(unroller *u, swp_phase phase, int pass)
{
    swp_run_step step = step_at(phase, pass, -1);
    step.action = SWP_RUN_BARRIER;
    return SWP_PUSH(u->ctx, &u->program->groups[u->group], step);
}

static bool lags(const unroller *u)
{
    const swp_machine *machine = &u->program->schedule->machine;
    return machine->groups == 2 && machine->lag == 1;
}

/*
 * Group 1's extra barrier stands before the prologue entry of this number. A number beyond the
 * prologue's end is one that no group comes to (page 1, section 7, "Stagger index").
 */
static bool lag_stands_before(const unroller *u, size_t entry)
{
    const swp_machine *machine = &u->program->schedule->machine;
    return lags(u) && u->group == 1 && entry == (size_t)machine->lag_prologue_index;
}

static swp_status add_phase(unroller *u, swp_phase phase, int pass, int base)
{
    const swp_entry_list *entries = swp_schedule_phase(u->program->schedule, phase);
    for (size_t i = 0; i <= entries->count; i++) {
        if (phase == SWP_PROLOGUE && lag_stands_before(u, i))
            SWP_TRY(add_barrier(u, phase, pass));
        if (i == entries->count)
            break;
        swp_run_step step = step_at(phase, pass, (int)i);
        SWP_TRY(set_action(u, &entries->items[i].op, base, &step));
        SWP_TRY(SWP_PUSH(u->ctx, &u->program->groups[u->group], step));
    }
    return SWP_OK;
}

static swp_status unroll_group(unroller *u)
{
    const swp_run_program *program = u->program;
    const swp_loop_shape *loop = &program->schedule->loop;
    const int counts = program->accumulators + program->slices;
    SWP_TRY(SWP_TAKE(u->ctx, (size_t)counts, &u->computed));
    u->program->products = u->computed;
    int base = loop->first_base;
    SWP_TRY(add_phase(u, SWP_PROLOGUE, -1, 0));
    if (!program->next_tile)
        SWP_TRY(add_barrier(u, SWP_PROLOGUE, -1));
    for (int pass = 0; pass < program->passes; pass++, base += loop->tiles_per_pass)
        SWP_TRY(add_phase(u, SWP_KERNEL, pass, base));
    SWP_TRY(add_phase(u, SWP_EPILOGUE, program->passes, program->n));
    if (lags(u) && u->group == 0 && program->schedule->machine.lag_end_barrier)
        SWP_TRY(add_barrier(u, SWP_EPILOGUE, program->passes));
    return SWP_OK;
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

swp_status swp_run_unroll(swp_context *ctx, const swp_schedule *schedule, int n,
                          int waves_per_group, swp_run_program *out)
{
    const swp_loop_shape *loop = &schedule->loop;
    const bool next_tile = loop->placement == SWP_PLACE_NEXT_TILE;
    *out = (swp_run_program){
        .schedule = schedule,
        .n = n,
        .passes = loop->tiles_per_pass == 0 ? 0 : (n - loop->min_tiles) / loop->tiles_per_pass,
        .waves_per_group = waves_per_group,
        .waves = waves_per_group * schedule->machine.groups,
        .next_tile = next_tile,
        .slices = next_tile ? slices_of(schedule) : 1,
        .accumulators = next_tile ? 1 : loop->m_mmas * loop->n_mmas};
    unroller u = {.ctx = ctx, .program = out};
    int staging = 0;
    if (next_tile)
        SWP_TRY(register_of(&u, -1, 0, &staging));
    for (int group = 0; group < schedule->machine.groups; group++) {
        u = (unroller){.ctx = ctx, .program = out, .group = group};
        SWP_TRY(unroll_group(&u));
    }
    return SWP_OK;
}
