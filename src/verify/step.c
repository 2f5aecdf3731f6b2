/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/step.h"

#include "verify/access.h"
#include "verify/barriers.h"
#include "verify/op.h"
#include "verify/operands.h"
#include "verify/retire.h"

static const swp_model *model_of(const swp_followed_run *run)
{
    return run->state->model;
}

static swp_verify_event event_at(const swp_followed_run *run, swp_entry_ref ref)
{
    return (swp_verify_event){ref, run->pass};
}

static swp_status check_range(swp_followed_run *run, const swp_verify_event *event, int tile)
{
    const swp_verify_step *step = &model_of(run)->steps[event->ref.phase][event->ref.entry];
    const swp_rule rule = tile < 0 ? SWP_RULE_TILE_BEFORE_0 : SWP_RULE_TILE_FROM_N;
    if ((tile >= 0 && tile < run->findings->n) || !swp_rule_holds(model_of(run), rule))
        return SWP_OK;
    const swp_site site = step->does == SWP_DOES_LOAD ? SWP_SITE_LDS : SWP_SITE_NONE;
    return swp_verify_follow_report(run, SWP_OUT_OF_RANGE, event, NULL, site, step->place);
}

static swp_status run_load(swp_followed_run *run, const swp_verify_event *event,
                           const swp_verify_step *step)
{
    const int tile = swp_verify_step_tile(step, event->pass);
    SWP_TRY(check_range(run, event, tile));
    SWP_TRY(swp_verify_follow_issue(run, event, step));
    return swp_verify_follow_write(run, event, step->place, tile, step->counter);
}

/*
 * A register whose load is in flight is used, or loaded again. A compiler waits before a use; raw
 * registers had better be there. `ready` remembers that a hazard was reported.
 */
static swp_status check_ready(swp_followed_run *run, swp_rule rule, const swp_verify_event *event,
                              int index, const swp_verify_flight *flight,
                              const swp_verify_event *loader, bool *ready)
{
    const swp_model *model = model_of(run);
    if (model->machine->registers != SWP_REGISTERS_RAW || *ready ||
        swp_verify_flight_retired(run->state, flight) || !swp_rule_holds(model, rule))
        return SWP_OK;
    *ready = swp_rule_holds(model, SWP_RULE_REGISTER_TOLD);
    return swp_verify_follow_report(run, SWP_REGISTER_NOT_READY, event, loader, SWP_SITE_REGISTER,
                                    index);
}

static swp_status use_register(swp_followed_run *run, const swp_verify_event *event, int index,
                               swp_verify_flight *flight, const swp_verify_event *loader,
                               bool *ready)
{
    const swp_model *model = model_of(run);
    SWP_TRY(check_ready(run, SWP_RULE_REGISTER_USED, event, index, flight, loader, ready));
    const bool waits = model->machine->registers != SWP_REGISTERS_RAW
                           ? swp_rule_holds(model, SWP_RULE_MANAGED_USE)
                           : !swp_rule_holds(model, SWP_RULE_RAW_USE);
    if (waits && !swp_verify_flight_retired(run->state, flight))
        swp_verify_state_retire_through(run->state, flight);
    return SWP_OK;
}

static swp_status run_stage(swp_followed_run *run, const swp_verify_event *event,
                            const swp_verify_step *step)
{
    swp_state *state = run->state;
    swp_register_state *reg = &state->registers[step->registers[0]];
    const int tile = swp_verify_step_tile(step, event->pass);
    SWP_TRY(check_range(run, event, tile));
    SWP_TRY(swp_verify_follow_issue(run, event, step));
    SWP_TRY(check_ready(run, SWP_RULE_REGISTER_RELOADED, event, step->registers[0], &reg->flight,
                        &reg->event, &reg->settled));
    *reg = (swp_register_state){.read = -1,
                                .tile = SWP_NO_TILE,
                                .event = *event,
                                .flight = swp_verify_flight_new(step->counter)};
    return SWP_OK;
}

static swp_status run_store(swp_followed_run *run, const swp_verify_event *event,
                            const swp_verify_step *step)
{
    swp_register_state *reg = &run->state->registers[step->registers[0]];
    SWP_TRY(use_register(run, event, step->registers[0], &reg->flight, &reg->event, &reg->settled));
    SWP_TRY(swp_verify_follow_issue(run, event, step));
    return swp_verify_follow_write(run, event, step->place, swp_verify_step_tile(step, event->pass),
                                   step->counter);
}

static swp_status run_fragment(swp_followed_run *run, const swp_verify_event *event,
                               const swp_verify_step *step)
{
    swp_state *state = run->state;
    swp_register_state *reg = &state->registers[step->registers[0]];
    SWP_TRY(swp_verify_follow_issue(run, event, step));
    if (reg->read >= 0) {
        swp_read *old = &state->reads[reg->read];
        SWP_TRY(check_ready(run, SWP_RULE_REGISTER_RELOADED, event, step->registers[0],
                            &old->flight, &old->event, &old->ready));
    }
    reg->read = -1;
    const int slot = swp_verify_state_take_read(state);
    swp_read *read = &state->reads[slot];
    read->event = *event;
    read->place = step->place;
    read->flight = swp_verify_flight_new(SWP_LGKMCNT);
    read->held = SWP_NO_TILE;
    read->tile = SWP_NO_TILE;
    swp_verify_follow_see(state, read);
    reg->read = slot;
    reg->settled = false;
    if (swp_rule_holds(state->model, SWP_RULE_OBSERVED) || read->write_count == 0)
        return SWP_OK;
    return swp_verify_judge_operand(run->findings, state, slot, step->registers[0], event,
                                    read->writes[read->write_count - 1].tile, run->passes);
}

/* A register that nothing was ever loaded into. */
static swp_status use_empty(swp_followed_run *run, const swp_verify_event *event, int index,
                            int tile)
{
    swp_register_state *reg = &run->state->registers[index];
    const swp_finding finding = {.kind = SWP_WRONG_TILE,
                                 .at = *event,
                                 .site = SWP_SITE_REGISTER,
                                 .place = index,
                                 .wanted = tile,
                                 .found = SWP_NO_TILE};
    if ((reg->settled && reg->tile == tile) ||
        !swp_rule_holds(model_of(run), SWP_RULE_EMPTY_REGISTER))
        return SWP_OK;
    reg->settled = true;
    reg->tile = tile;
    return swp_verify_findings_add(run->findings, &finding);
}

static swp_status use_operand(swp_followed_run *run, const swp_verify_event *event, int index,
                              int tile)
{
    swp_state *state = run->state;
    const int slot = state->registers[index].read;
    if (slot < 0)
        return use_empty(run, event, index, tile);
    swp_read *read = &state->reads[slot];
    SWP_TRY(use_register(run, event, index, &read->flight, &read->event, &read->ready));
    return swp_verify_judge_operand(run->findings, state, slot, index, event, tile, run->passes);
}

/* A COMPUTE of work that is done already uses its registers, whatever is in them. */
static swp_status use_surplus(swp_followed_run *run, const swp_verify_event *event, int index)
{
    const int slot = run->state->registers[index].read;
    if (slot < 0 || !swp_rule_holds(model_of(run), SWP_RULE_SURPLUS_USE))
        return SWP_OK;
    swp_read *read = &run->state->reads[slot];
    return use_register(run, event, index, &read->flight, &read->event, &read->ready);
}

static swp_status run_compute(swp_followed_run *run, const swp_verify_event *event,
                              const swp_verify_step *step)
{
    const int tile = swp_verify_step_tile(step, event->pass);
    for (int i = 0; i < 2; i++)
        if (step->registers[i] >= 0)
            SWP_TRY(step->surplus ? use_surplus(run, event, step->registers[i])
                                  : use_operand(run, event, step->registers[i], tile));
    return SWP_OK;
}

static void run_wait(swp_followed_run *run, const swp_verify_step *step)
{
    const bool counts = swp_rule_holds(model_of(run), SWP_RULE_WAIT_COUNT);
    if (swp_rule_holds(model_of(run), SWP_RULE_WAIT))
        swp_verify_state_wait(run->state, step->counter, counts ? step->wait : 0);
}

swp_status swp_verify_follow_entry(swp_followed_run *run, swp_entry_ref ref)
{
    const swp_verify_step *step = &model_of(run)->steps[ref.phase][ref.entry];
    const swp_verify_event event = event_at(run, ref);
    if (run->state->stuck)
        return SWP_OK;
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
    case SWP_DOES_OP:
        return swp_verify_follow_op(run, &event, step);
    case SWP_DOES_BARRIER:
        return swp_verify_follow_barrier(run, ref);
    case SWP_DOES_WAIT:
        run_wait(run, step);
        break;
    case SWP_DOES_NOTHING:
        break;
    }
    return SWP_OK;
}
