/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel passes are followed until the state comes back, and from every state on the way the epilogue is run, which is the
 * run of that many tiles.
 */
#include "verify/bodies/bodies.h"

#include "base/budget.h"
#include "base/diag.h"
#include "verify/bodies/barriers.h"
#include "verify/bodies/future_writes.h"
#include "verify/bodies/step.h"
#include "verify/bodies/work.h"

/*
 * A schedule with a hazard may do what never comes back. No more is looked for then after so many passes that
 * nothing could be left out of, or so often that some were; and of so many writes of a place older ones are forgotten.
 */
enum { MOST_PASSES = 512, MOST_LEAPS = 4096, MOST_WRITES = 128 };

/* The texts of one take as long as so many looks at a place. */
enum { WORK_OF_HAZARD = 500 };

enum { STEPS_OF_AN_ENTRY = 256 };

typedef struct state_list {
    swp_state *items;
    size_t count;
    size_t capacity;
} state_list;

typedef struct verifier {
    swp_context *ctx;
    swp_model model;
    swp_findings findings;
    swp_state now;     /* after the passes so far */
    swp_state scratch; /* for the ends of runs */
    state_list seen;
    int seen_count; /* of these, since passes were last left out */
    int first_seen; /* the first is after so many passes */
    int passes;     /* before `now`, those left out among them */
    int explored;
    int skips;
    int ahead;   /* kernel passes of a tail */
    int settled; /* passes from which states can come back with a read of the prologue in them */
    uint64_t work;
    uint64_t costs[3];     /* of following each phase once */
    uint64_t cost_of_look; /* whether a state has come back */
} verifier;

static int tiles_of(const verifier *v, int passes)
{
    return v->model.loop.min_tiles + passes * v->model.loop.tiles_per_pass;
}

/* What moves a counter, or is a barrier, looks at all that may be in flight. */
static void estimate_costs(verifier *v)
{
    const swp_model *model = &v->model;
    const uint64_t flights = (uint64_t)v->scratch.read_count +
                             (uint64_t)model->effects.register_count * 3 +
                             (uint64_t)model->effects.place_count;
    v->cost_of_look = (uint64_t)model->effects.lengths[SWP_KERNEL] +
                      (uint64_t)model->effects.lengths[SWP_EPILOGUE] +
                      (uint64_t)model->effects.place_count +
                      (uint64_t)model->effects.register_count;
    for (int phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        for (int i = 0; i < model->effects.lengths[phase]; i++) {
            const swp_effect *effect = &model->effects.entries[phase][i];
            const bool looks = effect->kind != SWP_EFFECT_NONE && effect->accumulator < 0;
            v->costs[phase] += looks ? flights : 1;
        }
}

static swp_status run_phase(verifier *v, swp_state *state, swp_phase phase, int pass, int passes)
{
    swp_followed_run run = {&v->findings, state, pass, passes};
    v->work += v->costs[phase];
    for (int i = 0; i < v->model.effects.lengths[phase]; i++) {
        SWP_TRY(swp_keep_on(v->ctx, STEPS_OF_AN_ENTRY));
        SWP_TRY(swp_bodies_follow_entry(&run, (swp_entry_ref){phase, i}));
    }
    return SWP_OK;
}

/* The start of the run of `passes` kernel passes. */
static swp_status run_prologue(verifier *v, int passes)
{
    const int length = v->model.effects.lengths[SWP_PROLOGUE];
    swp_followed_run run = {&v->findings, &v->now, -1, passes};
    v->findings.n = tiles_of(v, passes);
    v->work += v->costs[SWP_PROLOGUE];
    SWP_TRY(swp_bodies_state_new(v->ctx, &v->model, &v->now));
    for (int i = 0; i < length; i++)
        SWP_TRY(swp_bodies_follow_entry(&run, (swp_entry_ref){SWP_PROLOGUE, i}));
    return SWP_OK;
}

/* The end of the run of `passes` kernel passes, from where the main line stands. */
static swp_status run_tail(verifier *v, int passes)
{
    v->findings.n = tiles_of(v, passes);
    SWP_TRY(swp_bodies_state_copy(&v->scratch, &v->now));
    for (int pass = v->passes; pass < passes; pass++)
        SWP_TRY(run_phase(v, &v->scratch, SWP_KERNEL, pass, passes));
    return run_phase(v, &v->scratch, SWP_EPILOGUE, passes, passes);
}

/* Whether a COMPUTE may still be the first to use what the prologue read. */
static bool has_unused_read(const swp_state *state)
{
    for (int i = 0; i < state->model->effects.register_count; i++) {
        const int slot = state->registers[i].read;
        if (slot >= 0 && !state->reads[slot].decided &&
            state->reads[slot].event.ref.phase == SWP_PROLOGUE)
            return true;
    }
    return false;
}

/* The states before are of no use then. */
static void leave_out(verifier *v, int passes)
{
    v->passes += passes;
    v->first_seen = v->passes;
    v->seen_count = 0;
    v->skips++;
}

/*
 * Whether the state has come back. Where only counts of accesses have grown since, passes are left
 * out until that matters.
 */
static bool came_back(verifier *v)
{
    if (v->passes > 0 && !swp_rule_holds(&v->model, SWP_RULE_EVERY_PASS))
        return true;
    const int first = has_unused_read(&v->now) ? v->settled - v->first_seen : 0;
    for (int i = v->seen_count; i-- > 0 && i >= first;) {
        const int period = v->seen_count - i;
        v->work += v->cost_of_look;
        const int repeats = swp_bodies_state_repeats(&v->seen.items[i], &v->now, v->first_seen + i,
                                                     period, v->ahead);
        if (repeats == SWP_FOR_EVER)
            return true;
        if (repeats == SWP_DIFFERENT)
            continue;
        if (repeats > 0)
            leave_out(v, repeats * period);
        return false;
    }
    return false;
}

static bool is_unsafe(const verifier *v)
{
    return v->findings.list.count > 0;
}

static bool is_enough(const verifier *v)
{
    return is_unsafe(v) && (v->seen_count == MOST_PASSES || v->skips == MOST_LEAPS);
}

/*
 * Of a schedule without a hazard all that is distinguished is so by what stands within a run's tiles, and
 * by each count once at each entry (docs/verification.md, "All N at once").
 */
static bool is_endless(const verifier *v)
{
    const swp_model *model = &v->model;
    int64_t entries = 0;
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        entries += model->effects.lengths[phase];
    const int64_t flights = v->now.read_count + model->effects.register_count * 3 + entries;
    const int64_t most = MOST_PASSES + model->loop.min_tiles + entries * flights;
    return v->seen_count > most || v->skips > most;
}

static swp_status remember(verifier *v)
{
    if (is_endless(v))
        return swp_error(v->ctx, SWP_E0702, SWP_NOWHERE, "please report this schedule",
                         "the verifier's state did not come back within %d passes", v->explored);
    if ((size_t)v->seen_count == v->seen.count) {
        swp_state new;
        SWP_TRY(swp_bodies_state_new(v->ctx, &v->model, &new));
        SWP_TRY(SWP_PUSH(v->ctx, &v->seen, new));
    }
    return swp_bodies_state_copy(&v->seen.items[v->seen_count++], &v->now);
}

/* Runs that are too short for a main line. */
static swp_status follow_short_runs(verifier *v)
{
    const bool runs_short = swp_rule_holds(&v->model, SWP_RULE_SHORT_RUNS);
    for (int passes = 0; runs_short && passes < v->ahead; passes++) {
        SWP_TRY(run_prologue(v, passes));
        SWP_TRY(run_tail(v, passes));
    }
    return SWP_OK;
}

/* The run of a form that takes no pass. */
static swp_status follow_straight(verifier *v)
{
    SWP_TRY(run_prologue(v, 0));
    return run_tail(v, 0);
}

static swp_status follow_passes(verifier *v)
{
    const bool looks_ahead = swp_rule_holds(&v->model, SWP_RULE_PASSES_AHEAD);
    v->ahead = looks_ahead ? swp_bodies_future_passes(&v->model) : 0;
    if (swp_rule_holds(&v->model, SWP_RULE_UNUSED_READ))
        v->settled = swp_bodies_future_settled(&v->model);
    SWP_TRY(follow_short_runs(v));
    SWP_TRY(run_prologue(v, v->ahead));
    while (!came_back(v) && !is_enough(v)) {
        SWP_TRY(remember(v));
        if (v->passes == 0 || swp_rule_holds(&v->model, SWP_RULE_EVERY_END))
            SWP_TRY(run_tail(v, v->passes + v->ahead));
        const int passes = v->passes + 1 + v->ahead;
        v->findings.n = tiles_of(v, passes);
        SWP_TRY(run_phase(v, &v->now, SWP_KERNEL, v->passes, passes));
        v->passes++;
        v->explored++;
        swp_bodies_state_end_pass(&v->now, v->passes, is_unsafe(v) ? MOST_WRITES : SIZE_MAX);
    }
    return SWP_OK;
}

/* In the memory of `v->ctx`, but for what was found, which goes where the findings say. */
static swp_status prove(verifier *v, const swp_schedule *schedule, swp_rule rule)
{
    SWP_TRY(swp_bodies_model_build(v->ctx, schedule, rule, &v->model));
    SWP_TRY(swp_bodies_findings_begin(v->ctx, &v->model, &v->findings));
    SWP_TRY(swp_bodies_state_new(v->ctx, &v->model, &v->scratch));
    estimate_costs(v);
    SWP_TRY(swp_bodies_count_work(&v->findings));
    SWP_TRY(swp_bodies_find_unmet_end(&v->findings));
    SWP_TRY(schedule->loop.tiles_per_pass == 0 ? follow_straight(v) : follow_passes(v));
    swp_bodies_findings_sort(&v->findings);
    return SWP_OK;
}

swp_status swp_bodies_verify_form(swp_context *ctx, const swp_schedule *form, swp_rule rule,
                                  swp_verdict *out)
{
    swp_context inner;
    verifier *v = NULL;
    *out = (swp_verdict){0};
    SWP_TRY(swp_scope_open(ctx, &inner));
    swp_status status = SWP_TAKE(&inner, 1, &v);
    if (status == SWP_OK) {
        v->ctx = &inner;
        v->findings.ctx = ctx;
        status = prove(v, form, rule);
        *out = (swp_verdict){.safe = v->findings.list.count == 0,
                             .passes_explored = v->explored,
                             .hazards = v->findings.list,
                             .work = v->work + v->findings.list.count * WORK_OF_HAZARD};
    }
    swp_scope_close(&inner);
    return status;
}
