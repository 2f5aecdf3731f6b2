/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/step.h"

#include "verify/operands.h"

static const swp_model *model_of(const swp_run *run)
{
    return run->state->model;
}

static swp_event event_at(const swp_run *run, swp_entry_ref ref)
{
    return (swp_event){ref, run->pass};
}

/* The tile at kb in a phase and pass. */
static int base_tile(const swp_run *run, swp_phase phase, int pass)
{
    const swp_loop_shape *loop = &model_of(run)->loop;
    if (phase == SWP_PROLOGUE)
        return 0;
    return phase == SWP_EPILOGUE ? run->findings->n
                                 : loop->first_base + pass * loop->tiles_per_pass;
}

/* The tile that a COMPUTE adds: the products of a phase follow each other. */
static int product_tile(const swp_run *run, swp_phase phase, int product)
{
    const swp_loop_shape *loop = &model_of(run)->loop;
    if (phase == SWP_EPILOGUE)
        return run->findings->n - loop->min_tiles + product;
    return run->pass * loop->tiles_per_pass + product;
}

static swp_status report(swp_run *run, swp_hazard_kind kind, const swp_event *at,
                         const swp_event *other, swp_site site, int place)
{
    const swp_finding finding = {.kind = kind,
                                 .at = *at,
                                 .other = other,
                                 .site = site,
                                 .place = place,
                                 .wanted = SWP_NO_TILE,
                                 .found = SWP_NO_TILE};
    return swp_findings_add(run->findings, &finding);
}

static swp_status issue(swp_run *run, const swp_event *event, const swp_step *step)
{
    const swp_model *model = model_of(run);
    swp_state_issue(run->state, step->counter, step->accesses);
    if (model->machine->counter_full == SWP_COUNTER_STALLS ||
        run->state->in_flight[step->counter] <= model->counter_max[step->counter])
        return SWP_OK;
    run->state->in_flight[step->counter] = model->counter_max[step->counter];
    return report(run, SWP_COUNTER, event, NULL, SWP_SITE_NONE, 0);
}

static swp_status check_range(swp_run *run, const swp_event *event, int tile)
{
    const swp_step *step = &model_of(run)->steps[event->ref.phase][event->ref.entry];
    if (tile >= 0 && tile < run->findings->n)
        return SWP_OK;
    const swp_site site = step->does == SWP_DOES_LOAD ? SWP_SITE_LDS : SWP_SITE_NONE;
    return report(run, SWP_OUT_OF_RANGE, event, NULL, site, step->place);
}

/*
 * Reads of the place that this write may overtake: at once if observed, else kept in mind. `found`
 * says that a hazard was reported here.
 */
static swp_status threaten_reads(swp_run *run, const swp_event *event, int place, int tile,
                                 bool is_store, bool *found)
{
    swp_state *state = run->state;
    for (int r = 0; r < state->read_count; r++) {
        swp_read *read = &state->reads[r];
        if (!read->used || read->place != place || read->settled ||
            swp_flight_before_now(state, &read->flight, is_store))
            continue;
        if (!read->observed) {
            if (read->threat_count < SWP_MOST_THREATS)
                read->threats[read->threat_count++] = (swp_seen_write){*event, tile, false, false};
        } else if (tile != read->tile) {
            *found = true;
            SWP_TRY(swp_report_overwritten(run->findings, state, read, event, tile));
        }
    }
    return SWP_OK;
}

static swp_status write_place(swp_run *run, const swp_event *event, const swp_step *step, int tile)
{
    swp_state *state = run->state;
    swp_place_state *place = &state->places[step->place];
    const bool is_store = step->does == SWP_DOES_STORE;
    const swp_write *before = &place->writes[place->write_count - 1];
    /* One wave's stores take effect in order; a load may overtake whatever is in flight. */
    const bool in_order = is_store && before->flight.counter == SWP_LGKMCNT;
    bool found = false;
    /* The issue may stall, and what it waits for then is before it. */
    SWP_TRY(issue(run, event, step));
    SWP_TRY(threaten_reads(run, event, step->place, tile, is_store, &found));
    const swp_write write = {.event = *event,
                             .tile = tile,
                             .flight = swp_flight_new(step->counter),
                             .overlaps = !swp_flight_retired(state, &before->flight) && !in_order,
                             .forgiven = found};
    swp_place_push(state, place, write);
    return SWP_OK;
}

static swp_status run_load(swp_run *run, const swp_event *event, const swp_step *step)
{
    const int tile = base_tile(run, event->ref.phase, event->pass) + step->multiple;
    SWP_TRY(check_range(run, event, tile));
    return write_place(run, event, step, tile);
}

/*
 * A register whose load is in flight is used, or loaded again. A compiler waits before a use; raw
 * registers had better be there. `ready` remembers that a hazard was reported.
 */
static swp_status check_ready(swp_run *run, const swp_event *event, int index,
                              const swp_flight *flight, const swp_event *loader, bool *ready)
{
    if (model_of(run)->machine->registers == SWP_REGISTERS_MANAGED || *ready ||
        swp_flight_retired(run->state, flight))
        return SWP_OK;
    *ready = true;
    return report(run, SWP_REGISTER_NOT_READY, event, loader, SWP_SITE_REGISTER, index);
}

static swp_status use_register(swp_run *run, const swp_event *event, int index, swp_flight *flight,
                               const swp_event *loader, bool *ready)
{
    SWP_TRY(check_ready(run, event, index, flight, loader, ready));
    if (model_of(run)->machine->registers == SWP_REGISTERS_MANAGED &&
        !swp_flight_retired(run->state, flight))
        swp_state_retire_through(run->state, flight);
    return SWP_OK;
}

static swp_status run_stage(swp_run *run, const swp_event *event, const swp_step *step)
{
    swp_register_state *reg = &run->state->registers[step->registers[0]];
    const int tile = run->state->next_tile++;
    SWP_TRY(check_range(run, event, tile));
    SWP_TRY(issue(run, event, step));
    SWP_TRY(check_ready(run, event, step->registers[0], &reg->flight, &reg->event, &reg->settled));
    *reg = (swp_register_state){
        .read = -1, .tile = tile, .event = *event, .flight = swp_flight_new(step->counter)};
    return SWP_OK;
}

static swp_status run_store(swp_run *run, const swp_event *event, const swp_step *step)
{
    swp_register_state *reg = &run->state->registers[step->registers[0]];
    SWP_TRY(use_register(run, event, step->registers[0], &reg->flight, &reg->event, &reg->settled));
    return write_place(run, event, step, reg->tile);
}

static void see_writes(const swp_state *state, swp_read *read)
{
    const swp_place_state *place = &state->places[read->place];
    for (int i = 0; i < place->write_count; i++) {
        const swp_write *write = &place->writes[i];
        const bool in_order = write->flight.counter == SWP_LGKMCNT;
        read->writes[read->write_count++] = (swp_seen_write){
            .event = write->event,
            .tile = write->tile,
            .ordered = write->forgiven || swp_flight_before_now(state, &write->flight, in_order),
            .overlaps = write->overlaps};
    }
}

/* Only what follows the newest write that is surely there can be seen. */
static void drop_unseen(swp_read *read)
{
    int first = read->write_count - 1;
    while (first > 0 && (!read->writes[first].ordered || read->writes[first].overlaps))
        first--;
    for (int i = first; i < read->write_count; i++)
        read->writes[i - first] = read->writes[i];
    read->write_count -= first;
}

static swp_status run_fragment(swp_run *run, const swp_event *event, const swp_step *step)
{
    swp_state *state = run->state;
    swp_register_state *reg = &state->registers[step->registers[0]];
    SWP_TRY(issue(run, event, step));
    if (reg->read >= 0) {
        swp_read *old = &state->reads[reg->read];
        SWP_TRY(
            check_ready(run, event, step->registers[0], &old->flight, &old->event, &old->ready));
    }
    reg->read = -1;
    const int slot = swp_state_take_read(state);
    swp_read *read = &state->reads[slot];
    read->event = *event;
    read->place = step->place;
    read->flight = swp_flight_new(SWP_LGKMCNT);
    see_writes(state, read);
    drop_unseen(read);
    reg->read = slot;
    reg->settled = false;
    return SWP_OK;
}

static bool is_after(swp_entry_ref ref, int pass, const swp_event *event)
{
    if (ref.phase != event->ref.phase)
        return ref.phase > event->ref.phase;
    return pass != event->pass ? pass > event->pass : ref.entry > event->ref.entry;
}

static int staging_loads(const swp_model *model, swp_phase phase, int before)
{
    int loads = 0;
    for (int i = 0; i < before; i++)
        loads += model->steps[phase][i].does == SWP_DOES_STAGE;
    return loads;
}

/* The tile that a load or store writes in a pass of this run. */
static int tile_written(const swp_run *run, swp_entry_ref ref, int pass)
{
    const swp_model *model = model_of(run);
    const swp_step *step = &model->steps[ref.phase][ref.entry];
    if (step->does == SWP_DOES_LOAD)
        return base_tile(run, ref.phase, pass) + step->multiple;
    int loads = staging_loads(model, ref.phase, ref.entry) - 1;
    if (ref.phase >= SWP_KERNEL)
        loads += staging_loads(model, SWP_PROLOGUE, model->lengths[SWP_PROLOGUE]) +
                 pass * staging_loads(model, SWP_KERNEL, model->lengths[SWP_KERNEL]);
    return loads;
}

/* Whether the entry writes the tile after the event, in any pass of this run. */
static bool writes_after(const swp_run *run, swp_entry_ref ref, const swp_event *event, int tile)
{
    const int first = ref.phase == SWP_KERNEL ? 0 : ref.phase == SWP_PROLOGUE ? -1 : run->passes;
    const int last = ref.phase == SWP_KERNEL ? run->passes - 1 : first;
    for (int pass = first; pass <= last; pass++)
        if (is_after(ref, pass, event) && tile_written(run, ref, pass) == tile)
            return true;
    return false;
}

/* Whether an entry of this run writes the tile to the place after the event. */
static bool writes_later(const swp_run *run, const swp_event *event, int place, int tile)
{
    const swp_model *model = model_of(run);
    for (int phase = (int)event->ref.phase; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->lengths[phase]; i++) {
            const swp_step *step = &model->steps[phase][i];
            if ((step->does == SWP_DOES_LOAD || step->does == SWP_DOES_STORE) &&
                step->place == place &&
                writes_after(run, (swp_entry_ref){(swp_phase)phase, i}, event, tile))
                return true;
        }
    return false;
}

/* A register that nothing was ever loaded into. */
static swp_status use_empty(swp_run *run, const swp_event *event, int index, int tile)
{
    swp_register_state *reg = &run->state->registers[index];
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = index,
                                 .wanted = tile,
                                 .found = SWP_NO_TILE};
    if (reg->settled && reg->tile == tile)
        return SWP_OK;
    reg->settled = true;
    reg->tile = tile;
    return swp_findings_add(run->findings, &finding);
}

static swp_status use_operand(swp_run *run, const swp_event *event, int index, int tile)
{
    swp_state *state = run->state;
    const int slot = state->registers[index].read;
    if (slot < 0)
        return use_empty(run, event, index, tile);
    swp_read *read = &state->reads[slot];
    SWP_TRY(use_register(run, event, index, &read->flight, &read->event, &read->ready));
    return swp_judge_operand(run->findings, state, slot, index, event, tile,
                             writes_later(run, &read->event, read->place, tile));
}

static swp_status run_compute(swp_run *run, const swp_event *event, const swp_step *step)
{
    if (step->product < 0)
        return report(run, SWP_DOUBLE_WORK, event, NULL, SWP_SITE_ACCUMULATOR, step->place);
    const int tile = product_tile(run, event->ref.phase, step->product);
    for (int i = 0; i < 2; i++)
        if (step->registers[i] >= 0)
            SWP_TRY(use_operand(run, event, step->registers[i], tile));
    return SWP_OK;
}

swp_status swp_run_entry(swp_run *run, swp_entry_ref ref)
{
    const swp_step *step = &model_of(run)->steps[ref.phase][ref.entry];
    const swp_event event = event_at(run, ref);
    switch (step->does) {
    case SWP_DOES_LOAD:
        return run_load(run, &event, step);
    case SWP_DOES_STAGE:
        return run_stage(run, &event, step);
    case SWP_DOES_STORE:
        return run_store(run, &event, step);
    case SWP_DOES_FRAGMENT:
        return run_fragment(run, &event, step);
    case SWP_DOES_COMPUTE:
        return run_compute(run, &event, step);
    case SWP_DOES_BARRIER:
        swp_state_barrier(run->state);
        break;
    case SWP_DOES_WAIT:
        swp_state_wait(run->state, step->counter, step->wait);
        break;
    case SWP_DOES_NOTHING:
        break;
    }
    return SWP_OK;
}
