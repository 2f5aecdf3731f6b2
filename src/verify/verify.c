/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof: kernel passes are followed until the state comes back, and from every state on the way
 * the epilogue is run, which is the run of that many tiles.
 */
#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "ir/roles.h"
#include "verify/barriers.h"
#include "verify/future_writes.h"
#include "verify/roles.h"
#include "verify/step.h"
#include "verify/work.h"

#include <string.h>

/*
 * A schedule with a hazard may do what never comes back. No more is looked for then after so many passes that
 * nothing could be left out of, or so often that some were; and of so many writes of a place older ones are forgotten.
 */
enum { MOST_PASSES = 512, MOST_LEAPS = 4096, MOST_WRITES = 128 };

/* The texts of one take as long as so many looks at a place. */
enum { WORK_OF_HAZARD = 500 };

enum { STEPS_OF_AN_ENTRY = 256 };

/* Of a schedule with warp roles. */
enum { ALL_FORMS = -1 };

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
        SWP_TRY(swp_verify_follow_entry(&run, (swp_entry_ref){phase, i}));
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
    SWP_TRY(swp_verify_state_new(v->ctx, &v->model, &v->now));
    for (int i = 0; i <= length; i++) {
        if (v->model.lags && i == v->model.machine->lag_prologue_index)
            SWP_TRY(swp_verify_follow_lag(&run));
        if (i < length)
            SWP_TRY(swp_verify_follow_entry(&run, (swp_entry_ref){SWP_PROLOGUE, i}));
    }
    if (!v->model.meets_before_loop)
        return SWP_OK;
    return swp_verify_follow_barrier(&run, (swp_entry_ref){SWP_PROLOGUE, length});
}

/* The end of the run of `passes` kernel passes, from where the main line stands. */
static swp_status run_tail(verifier *v, int passes)
{
    v->findings.n = tiles_of(v, passes);
    SWP_TRY(swp_verify_state_copy(&v->scratch, &v->now));
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
        const int repeats = swp_verify_state_repeats(&v->seen.items[i], &v->now, v->first_seen + i,
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
        SWP_TRY(swp_verify_state_new(v->ctx, &v->model, &new));
        SWP_TRY(SWP_PUSH(v->ctx, &v->seen, new));
    }
    return swp_verify_state_copy(&v->seen.items[v->seen_count++], &v->now);
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
    v->ahead = looks_ahead ? swp_verify_future_passes(&v->model) : 0;
    if (swp_rule_holds(&v->model, SWP_RULE_UNUSED_READ))
        v->settled = swp_verify_future_settled(&v->model);
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
        swp_verify_state_end_pass(&v->now, v->passes, is_unsafe(v) ? MOST_WRITES : SIZE_MAX);
    }
    return SWP_OK;
}

/* Of a schedule without warp roles, none names one. */
static bool is_meant(const swp_acceptance *accepted, const swp_hazard *hazard)
{
    return hazard->kind == accepted->kind && hazard->at.phase == accepted->at.phase &&
           hazard->at.entry == accepted->at.entry && !hazard->role == !accepted->role &&
           (!hazard->role || strcmp(hazard->role, accepted->role) == 0);
}

static swp_status accept(swp_context *ctx, const swp_acceptance *accepted, size_t count,
                         swp_verdict *out)
{
    for (size_t a = 0; a < count; a++) {
        bool occurs = false;
        for (size_t i = 0; i < out->hazards.count; i++) {
            swp_hazard *hazard = &out->hazards.items[i];
            if (!is_meant(&accepted[a], hazard))
                continue;
            occurs = true;
            out->accepted += !hazard->accepted;
            hazard->accepted = true;
        }
        if (!occurs)
            SWP_TRY(swp_warn(ctx, SWP_W0701, SWP_NOWHERE, "remove it",
                             "the accepted hazard %s:%s%s%s:%d does not occur",
                             swp_hazard_name(accepted[a].kind),
                             accepted[a].role ? accepted[a].role : "", accepted[a].role ? ":" : "",
                             swp_phase_name(accepted[a].at.phase), accepted[a].at.entry));
    }
    return SWP_OK;
}

/* In the memory of `v->ctx`, but for what was found, which goes where the findings say. */
static swp_status prove(verifier *v, const swp_schedule *schedule, swp_rule rule)
{
    SWP_TRY(swp_verify_model_build(v->ctx, schedule, rule, &v->model));
    SWP_TRY(swp_verify_findings_begin(v->ctx, &v->model, &v->findings));
    SWP_TRY(swp_verify_state_new(v->ctx, &v->model, &v->scratch));
    estimate_costs(v);
    SWP_TRY(swp_verify_count_work(&v->findings));
    SWP_TRY(swp_verify_find_unmet_end(&v->findings));
    SWP_TRY(schedule->loop.tiles_per_pass == 0 ? follow_straight(v) : follow_passes(v));
    swp_verify_findings_sort(&v->findings);
    return SWP_OK;
}

/* The states of all forms together would take the square of the schedule. */
static swp_status verify_form(swp_context *ctx, const swp_schedule *schedule, swp_rule rule,
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
        status = prove(v, schedule, rule);
        *out = (swp_verdict){.safe = v->findings.list.count == 0,
                             .passes_explored = v->explored,
                             .hazards = v->findings.list,
                             .work = v->work + v->findings.list.count * WORK_OF_HAZARD};
    }
    swp_scope_close(&inner);
    return status;
}

/*
 * What all forms found. They share prologue and kernel: of each entry there and kind of hazard, where in
 * the list the hazard stands; 0: there is none, else one more.
 */
typedef struct merger {
    swp_context *ctx;
    swp_verdict *out;
    size_t *shared[SWP_EPILOGUE];
} merger;

static swp_status begin_merge(merger *m, const swp_schedule *schedule)
{
    for (int phase = SWP_PROLOGUE; phase < SWP_EPILOGUE; phase++)
        SWP_TRY(SWP_TAKE(
            m->ctx, (swp_schedule_phase(schedule, (swp_phase)phase)->count + 1) * SWP_HAZARD_KINDS,
            &m->shared[phase]));
    return SWP_OK;
}

/* Of a hazard that several forms share, in the lists that they share, the one with the least N stays. */
static swp_status merge_hazard(merger *m, const swp_hazard *new)
{
    swp_hazard_list *all = &m->out->hazards;
    size_t own = 0; /* in the epilogue none is shared */
    size_t *place = &own;
    if (new->at.phase != SWP_EPILOGUE)
        place = &m->shared[new->at.phase][new->at.entry *SWP_HAZARD_KINDS + (int)new->kind];
    if (*place > 0) {
        swp_hazard *same = &all->items[*place - 1];
        if (new->smallest_n < same->smallest_n)
            *same = *new;
        return SWP_OK;
    }
    *place = all->count + 1;
    return SWP_PUSH(m->ctx, all, *new);
}

static swp_status merge(merger *m, const swp_verdict *form)
{
    swp_verdict *out = m->out;
    out->safe = out->safe && form->safe;
    if (form->passes_explored > out->passes_explored)
        out->passes_explored = form->passes_explored;
    for (size_t i = 0; i < form->hazards.count; i++)
        SWP_TRY(merge_hazard(m, &form->hazards.items[i]));
    return SWP_OK;
}

swp_status swp_verify_without(swp_context *ctx, const swp_schedule *schedule, swp_rule rule,
                              swp_verdict *out)
{
    merger m = {.ctx = ctx, .out = out};
    *out = (swp_verdict){.safe = true};
    SWP_TRY(swp_schedule_check_loop(ctx, schedule));
    SWP_TRY(begin_merge(&m, schedule));
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        const swp_schedule form = swp_schedule_form(schedule, i);
        swp_verdict verdict;
        const swp_status status = verify_form(ctx, &form, rule, &verdict);
        out->work += verdict.work;
        SWP_TRY(status);
        SWP_TRY(merge(&m, &verdict));
    }
    return SWP_OK;
}

swp_status swp_verify_form(swp_context *ctx, const swp_schedule *schedule, int form,
                           swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && out);
    if (swp_ir_has_roles(schedule))
        return swp_verify_roles(ctx, schedule, form, out);
    const swp_schedule one = swp_schedule_form(schedule, form);
    return verify_form(ctx, &one, SWP_NO_RULE, out);
}

swp_status swp_verify(swp_context *ctx, const swp_schedule *schedule,
                      const swp_acceptance *accepted, size_t accepted_count, swp_verdict *out)
{
    SWP_REQUIRE(ctx, ctx && schedule && (accepted || accepted_count == 0) && out);
    SWP_TRY(swp_ir_has_roles(schedule) ? swp_verify_roles(ctx, schedule, ALL_FORMS, out)
                                       : swp_verify_without(ctx, schedule, SWP_NO_RULE, out));
    return accept(ctx, accepted, accepted_count, out);
}
