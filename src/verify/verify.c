/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof: kernel passes are followed until the state comes back, and from every state on the way
 * the epilogue is run, which is the run of that many tiles.
 */
#include "base/diag.h"
#include "verify/step.h"

/* Far beyond any state's recurrence; reaching it is a defect of the verifier, and says so. */
enum { MOST_PASSES = 512 };

typedef struct verifier {
    swp_context *ctx;
    swp_model model;
    swp_findings findings;
    swp_state now;     /* after the passes so far */
    swp_state scratch; /* for the epilogue */
    swp_state seen[MOST_PASSES];
    int passes;
} verifier;

static int tiles_of(const verifier *v, int passes)
{
    return v->model.loop.min_tiles + passes * v->model.loop.tiles_per_pass;
}

static bool lags(const verifier *v)
{
    const swp_machine *machine = v->model.machine;
    return machine->groups == 2 && machine->lag == 1 &&
           machine->lag_prologue_index <= v->model.lengths[SWP_PROLOGUE];
}

static swp_status run_phase(verifier *v, swp_state *state, swp_phase phase, int pass, int passes)
{
    swp_run run = {&v->findings, state, pass, passes};
    for (int i = 0; i < v->model.lengths[phase]; i++) {
        if (phase == SWP_PROLOGUE && lags(v) && i == v->model.machine->lag_prologue_index)
            swp_state_lag(state);
        SWP_TRY(swp_run_entry(&run, (swp_entry_ref){phase, i}));
    }
    return SWP_OK;
}

static swp_status run_prologue(verifier *v)
{
    v->findings.n = tiles_of(v, 0);
    SWP_TRY(run_phase(v, &v->now, SWP_PROLOGUE, -1, 0));
    if (lags(v) && v->model.machine->lag_prologue_index == v->model.lengths[SWP_PROLOGUE])
        swp_state_lag(&v->now);
    /* A double-buffered kernel meets once more before its loop. */
    if (v->model.loop.placement == SWP_PLACE_K_OFFSET)
        swp_state_barrier(&v->now);
    return SWP_OK;
}

static swp_status run_epilogue(verifier *v)
{
    v->findings.n = tiles_of(v, v->passes);
    swp_state_copy(&v->scratch, &v->now);
    return run_phase(v, &v->scratch, SWP_EPILOGUE, v->passes, v->passes);
}

static bool came_back(const verifier *v)
{
    for (int i = 0; i < v->passes; i++)
        if (swp_state_same(&v->seen[i], &v->now, i, v->passes - i))
            return true;
    return false;
}

static swp_status remember(verifier *v)
{
    SWP_TRY(swp_state_new(v->ctx, &v->model, &v->seen[v->passes]));
    swp_state_copy(&v->seen[v->passes], &v->now);
    return SWP_OK;
}

static swp_status follow_passes(verifier *v)
{
    while (!came_back(v)) {
        if (v->passes == MOST_PASSES)
            return swp_error(v->ctx, SWP_E0702, SWP_NOWHERE, "please report this schedule",
                             "the verifier's state did not come back within %d passes",
                             MOST_PASSES);
        SWP_TRY(run_epilogue(v));
        SWP_TRY(remember(v));
        v->findings.n = tiles_of(v, v->passes + 1);
        SWP_TRY(run_phase(v, &v->now, SWP_KERNEL, v->passes, v->passes + 1));
        swp_state_drop_reads(&v->now);
        v->passes++;
    }
    return SWP_OK;
}

/* A product that a phase's COMPUTEs leave out, whatever they read. */
static swp_status find_missing_work(verifier *v, swp_phase phase, int tiles, int n)
{
    const swp_event end = {{SWP_EPILOGUE, v->model.lengths[SWP_EPILOGUE]}, 0};
    for (int a = 0; a < v->model.accumulator_count; a++) {
        int products = 0;
        for (int i = 0; i < v->model.lengths[phase]; i++) {
            const swp_step *step = &v->model.steps[phase][i];
            products += step->does == SWP_DOES_COMPUTE && step->place == a && step->product >= 0;
        }
        if (products == tiles)
            continue;
        const swp_finding finding = {.kind = SWP_MISSING_WORK,
                                     .at = end,
                                     .site = SWP_SITE_ACCUMULATOR,
                                     .place = a,
                                     .wanted = SWP_NO_TILE};
        v->findings.n = n;
        return swp_findings_add(&v->findings, &finding);
    }
    return SWP_OK;
}

/* The group with more barriers is left alone at its last one. */
static swp_status find_deadlock(verifier *v)
{
    const swp_machine *machine = v->model.machine;
    const bool extra_end = machine->groups == 2 && machine->lag == 1 && machine->lag_end_barrier;
    if (lags(v) == extra_end)
        return SWP_OK;
    swp_event at = {{SWP_EPILOGUE, v->model.lengths[SWP_EPILOGUE]}, 0};
    if (lags(v))
        for (int phase = SWP_EPILOGUE; phase >= SWP_PROLOGUE; phase--)
            for (int i = v->model.lengths[phase] - 1; i >= 0; i--)
                if (v->model.steps[phase][i].does == SWP_DOES_BARRIER) {
                    at.ref = (swp_entry_ref){(swp_phase)phase, i};
                    phase = SWP_PROLOGUE;
                    break;
                }
    const swp_finding finding = {
        .kind = SWP_DEADLOCK, .at = at, .wanted = SWP_NO_TILE, .found = SWP_NO_TILE};
    v->findings.n = tiles_of(v, 0);
    return swp_findings_add(&v->findings, &finding);
}

static swp_status accept(verifier *v, const swp_acceptance *accepted, size_t count,
                         swp_verdict *out)
{
    for (size_t a = 0; a < count; a++) {
        bool occurs = false;
        for (size_t i = 0; i < v->findings.list.count; i++) {
            swp_hazard *hazard = &v->findings.list.items[i];
            if (hazard->kind != accepted[a].kind || hazard->at.phase != accepted[a].at.phase ||
                hazard->at.entry != accepted[a].at.entry)
                continue;
            occurs = true;
            out->accepted += !hazard->accepted;
            hazard->accepted = true;
        }
        if (!occurs)
            SWP_TRY(swp_warn(v->ctx, SWP_W0701, SWP_NOWHERE, "remove it",
                             "the accepted hazard %s:%s:%d does not occur",
                             swp_hazard_name(accepted[a].kind),
                             swp_phase_name(accepted[a].at.phase), accepted[a].at.entry));
    }
    return SWP_OK;
}

static swp_status check_loop(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_loop_shape *loop = &schedule->loop;
    if (loop->tiles_per_pass >= 1 && loop->min_tiles >= 1 && loop->multiple == loop->tiles_per_pass)
        return SWP_OK;
    return swp_error(ctx, SWP_E0701, SWP_NOWHERE,
                     "every legal number of tiles is min_tiles and "
                     "whole passes",
                     "tiles_per_pass %d, min_tiles %d and multiple %d describe no loop",
                     loop->tiles_per_pass, loop->min_tiles, loop->multiple);
}

swp_status swp_verify(swp_context *ctx, const swp_schedule *schedule,
                      const swp_acceptance *accepted, size_t accepted_count, swp_verdict *out)
{
    verifier *v = NULL;
    *out = (swp_verdict){0};
    SWP_TRY(check_loop(ctx, schedule));
    SWP_TRY(SWP_TAKE(ctx, 1, &v));
    v->ctx = ctx;
    SWP_TRY(swp_model_build(ctx, schedule, &v->model));
    v->findings = (swp_findings){.ctx = ctx, .model = &v->model};
    SWP_TRY(swp_state_new(ctx, &v->model, &v->now));
    SWP_TRY(swp_state_new(ctx, &v->model, &v->scratch));
    SWP_TRY(find_missing_work(v, SWP_EPILOGUE, v->model.loop.min_tiles, tiles_of(v, 0)));
    SWP_TRY(find_missing_work(v, SWP_KERNEL, v->model.loop.tiles_per_pass, tiles_of(v, 1)));
    SWP_TRY(find_deadlock(v));
    SWP_TRY(run_prologue(v));
    SWP_TRY(follow_passes(v));
    SWP_TRY(accept(v, accepted, accepted_count, out));
    swp_findings_sort(&v->findings);
    out->safe = v->findings.list.count == 0;
    out->passes_explored = v->passes;
    out->hazards = v->findings.list;
    return SWP_OK;
}
