/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the proof and the cycle model on a composed schedule, and subtracts what the original has. */
#include "diff/effect.h"
#include "ir/sync_objects.h"

#include <string.h>

/* Copies why a judge refused out of the context that it worked in. */
static swp_status copy_reason(swp_context *ctx, const swp_context *judged_in, const char **out)
{
    size_t count = 0;
    char *copy = NULL;
    const swp_diag *diags = swp_context_diags(judged_in, &count);
    const char *reason = count > 0 ? diags[count - 1].message : "it has no meaning";
    SWP_TRY(swp_copy_text(ctx, reason, strlen(reason), &copy));
    *out = copy;
    return SWP_OK;
}

/*
 * Entries of a list that only some numbers of tiles run (swp_tails) are not aligned, so each keeps
 * its number.
 */
static swp_diff_origin origin_of(const swp_schedule *schedule, const swp_hazard *hazard,
                                 const swp_diff_origins *origins)
{
    const swp_phase phase = hazard->at.phase;
    const int stream = hazard->stream;
    const int form = swp_schedule_form_of(schedule, hazard->smallest_n);
    const swp_schedule judged = swp_schedule_form(schedule, form < 0 ? 0 : form);
    const bool aligned = swp_diff_list(&judged, stream, phase)->items ==
                         swp_diff_list(schedule, stream, phase)->items;
    return aligned ? origins[stream].of[phase][hazard->at.entry]
                   : (swp_diff_origin){hazard->at.entry, hazard->at.entry};
}

static swp_status copy_hazards(swp_context *ctx, const swp_schedule *schedule,
                               const swp_hazard_list *hazards, const swp_diff_origins *origins,
                               swp_diff_hazard_list *out)
{
    for (size_t i = 0; i < hazards->count; i++) {
        const swp_hazard *hazard = &hazards->items[i];
        const swp_diff_origin origin = origin_of(schedule, hazard, origins);
        char *name = NULL;
        SWP_TRY(swp_copy_text(ctx, hazard->name, strlen(hazard->name), &name));
        const swp_diff_hazard copy = {.kind = hazard->kind,
                                      .phase = hazard->at.phase,
                                      .a = origin.a,
                                      .b = origin.b,
                                      .name = name,
                                      .role = hazard->role,
                                      .smallest_n = hazard->smallest_n};
        SWP_TRY(SWP_PUSH(ctx, out, copy));
    }
    return SWP_OK;
}

/* Copies the units out of the scratch memory; their names live longer than both. */
static swp_status keep_units(swp_context *ctx, swp_simulation *simulation)
{
    swp_unit_load *copy = NULL;
    SWP_TRY(SWP_TAKE(ctx, simulation->unit_count, &copy));
    for (size_t i = 0; i < simulation->unit_count; i++)
        copy[i] = simulation->units[i];
    simulation->units = copy;
    simulation->groups = NULL;
    simulation->group_count = 0;
    return SWP_OK;
}

static swp_status judge(swp_context *ctx, swp_context *scratch, const swp_simulate_options *options,
                        const swp_diff_origins *origins, swp_diff_side *out)
{
    swp_verdict verdict = {0};
    swp_status status = swp_verify(scratch, out->schedule, NULL, 0, &verdict);
    if (status == SWP_OK)
        SWP_TRY(copy_hazards(ctx, out->schedule, &verdict.hazards, origins, &out->hazards));
    else if (status == SWP_INVALID)
        SWP_TRY(copy_reason(ctx, scratch, &out->unjudged));
    else
        return status;
    status = swp_simulate(scratch, out->schedule, options, &out->simulation);
    out->simulation.stalls = (swp_stall_list){0};
    if (status == SWP_INVALID)
        SWP_TRY(copy_reason(ctx, scratch, &out->unsimulated));
    else if (status != SWP_OK)
        return status;
    return keep_units(ctx, &out->simulation);
}

static void count_entries(const swp_entry_list *entries, swp_diff_measure *out)
{
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        const swp_sync_operation *operation = swp_ir_sync_operation(op->tag);
        out->barriers += operation->waits && operation->arrives;
        out->waits += swp_ir_is_wait(op) || (operation->waits && !operation->arrives);
    }
}

/* Judges need much memory, and explain refusals as errors. So they work in a context of their own. */
static swp_status measure(swp_context *ctx, const swp_schedule *schedule,
                          const swp_simulate_options *options, const swp_diff_origins *origins,
                          swp_diff_measure *out)
{
    *out = (swp_diff_measure){.side.schedule = schedule, .tiles = schedule->loop.tiles_per_pass};
    for (int stream = 0; stream < (int)schedule->stream_count; stream++)
        for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
            count_entries(swp_diff_list(schedule, stream, phase), out);
    swp_context *scratch = swp_context_within(ctx);
    if (!scratch)
        return swp_out_of_memory(ctx);
    const swp_status status = judge(ctx, scratch, options, origins, &out->side);
    swp_context_free(scratch);
    return swp_pass_on(ctx, status);
}

static swp_status find_origins(swp_context *ctx, const swp_diff *diff, const swp_diff_role *role,
                               swp_phase phase, bool is_b, swp_diff_origin **out)
{
    const swp_diff_phase *rows = &role->phases[phase];
    const int a_count = (int)swp_diff_list(diff->a.schedule, role->a, phase)->count;
    const int b_count = (int)swp_diff_list(diff->b.schedule, role->b, phase)->count;
    const int count = is_b ? b_count : a_count;
    SWP_TRY(SWP_TAKE(ctx, (size_t)count + 1, out));
    for (size_t i = 0; i < rows->count; i++) {
        const swp_diff_origin origin = {rows->items[i].a, rows->items[i].b};
        const int entry = is_b ? origin.b : origin.a;
        if (entry >= 0)
            (*out)[entry] = origin;
    }
    (*out)[count] = (swp_diff_origin){a_count, b_count};
    return SWP_OK;
}

swp_status swp_diff_measure_side(swp_context *ctx, const swp_diff *diff, bool is_b,
                                 const swp_simulate_options *options, swp_diff_measure *out)
{
    const swp_schedule *schedule = is_b ? diff->b.schedule : diff->a.schedule;
    swp_diff_origins *origins = NULL;
    SWP_TRY(SWP_TAKE(ctx, schedule->stream_count, &origins));
    for (size_t i = 0; i < diff->role_count; i++) {
        const swp_diff_role *role = &diff->roles[i];
        const int stream = is_b ? role->b : role->a;
        for (swp_phase phase = SWP_PROLOGUE; stream >= 0 && phase <= SWP_DRAIN; phase++)
            SWP_TRY(find_origins(ctx, diff, role, phase, is_b, &origins[stream].of[phase]));
    }
    return measure(ctx, schedule, options, origins, out);
}

swp_status swp_diff_measure_choice(swp_context *ctx, const swp_diff_choice *choice,
                                   const swp_simulate_options *options, swp_diff_measure *out)
{
    swp_diff_composed composed;
    swp_context *scratch = swp_context_within(ctx);
    if (!scratch)
        return swp_out_of_memory(ctx);
    swp_status status = swp_diff_compose(scratch, choice, &composed);
    if (status == SWP_OK)
        status = measure(ctx, &composed.schedule, options, composed.origins, out);
    out->side.schedule = NULL;
    swp_context_free(scratch);
    return swp_pass_on(ctx, status);
}

static bool same_role(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool contains(const swp_diff_hazard_list *list, const swp_diff_hazard *hazard)
{
    for (size_t i = 0; i < list->count; i++) {
        const swp_diff_hazard *other = &list->items[i];
        if (other->kind == hazard->kind && other->phase == hazard->phase && other->a == hazard->a &&
            other->b == hazard->b && same_role(other->role, hazard->role))
            return true;
    }
    return false;
}

/* Lists the hazards of one that the other does not have. */
static swp_status subtract(swp_context *ctx, const swp_diff_hazard_list *from,
                           const swp_diff_hazard_list *less, swp_diff_hazard_list *out)
{
    for (size_t i = 0; i < from->count; i++)
        if (!contains(less, &from->items[i]))
            SWP_TRY(SWP_PUSH(ctx, out, from->items[i]));
    return SWP_OK;
}

static double cycles_per_pass(const swp_diff_measure *measure)
{
    return (double)measure->side.simulation.cycles / measure->side.simulation.passes;
}

static double cycles_per_tile(const swp_diff_measure *measure)
{
    return cycles_per_pass(measure) / measure->tiles;
}

swp_status swp_diff_find_effect(swp_context *ctx, const swp_diff_measure *before,
                                const swp_diff_measure *after, swp_diff_effect *out)
{
    const swp_diff_side *a = &before->side;
    const swp_diff_side *b = &after->side;
    *out = (swp_diff_effect){.judged = !a->unjudged && !b->unjudged,
                             .simulated = !a->unsimulated && !b->unsimulated,
                             .barriers = after->barriers - before->barriers,
                             .waits = after->waits - before->waits};
    if (out->judged) {
        out->was_safe = a->hazards.count == 0;
        out->is_safe = b->hazards.count == 0;
        SWP_TRY(subtract(ctx, &b->hazards, &a->hazards, &out->hazards));
        SWP_TRY(subtract(ctx, &a->hazards, &b->hazards, &out->gone));
    }
    if (out->simulated) {
        out->cycles_per_pass = cycles_per_pass(after) - cycles_per_pass(before);
        out->cycles_per_tile = cycles_per_tile(after) - cycles_per_tile(before);
        out->prologue_cycles = b->simulation.prologue_cycles - a->simulation.prologue_cycles;
        out->epilogue_cycles = b->simulation.epilogue_cycles - a->simulation.epilogue_cycles;
    }
    return SWP_OK;
}
