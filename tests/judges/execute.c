/* SPDX-License-Identifier: Apache-2.0 */
#include "execute.h"

#include "fixture.h"
#include "swp/run.h"

static bool is_at(swp_instance instance, int stream, swp_entry_ref ref)
{
    return instance.stream == stream && instance.phase == ref.phase && instance.entry == ref.entry;
}

static bool is_named(const swp_hazard *hazard, swp_instance instance)
{
    return is_at(instance, hazard->stream, hazard->at) ||
           (hazard->has_other && is_at(instance, hazard->other_stream, hazard->other));
}

static bool names_operand(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    for (size_t i = 0; i < outcome->operands.count; i++) {
        const swp_wrong_operand *operand = &outcome->operands.items[i];
        if (is_named(hazard, operand->reader) ||
            (operand->has_other && is_named(hazard, operand->other)))
            return true;
    }
    return false;
}

static bool names_instance(const swp_hazard *hazard, const swp_instance_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_named(hazard, list->items[i]))
            return true;
    return false;
}

static showing tile_outside(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    for (size_t i = 0; i < outcome->outside.count; i++)
        if (is_named(hazard, outcome->outside.items[i].at))
            return SHOWN_PLAINLY;
    return NOT_SHOWN;
}

static showing instances(const swp_hazard *hazard, const swp_instance_list *list)
{
    if (list->count == 0)
        return NOT_SHOWN;
    return names_instance(hazard, list) ? SHOWN_PLAINLY : SHOWN;
}

/* Whether a rule of warp roles is broken, and by the hazard's first entry itself. */
static showing broken(const swp_hazard *hazard, const swp_run_outcome *outcome, swp_symptom rule)
{
    showing out = NOT_SHOWN;
    for (size_t i = 0; i < outcome->broken.count; i++) {
        const swp_broken_rule *b = &outcome->broken.items[i];
        if (b->rule == rule && is_at(b->at, hazard->stream, hazard->at))
            return SHOWN_PLAINLY;
        out = b->rule == rule ? SHOWN : out;
    }
    return out;
}

/* The rule that a hazard of warp roles breaks; none. */
static swp_symptom rule_of(swp_hazard_kind kind)
{
    switch (kind) {
    case SWP_ARRIVALS:
    case SWP_UNOBSERVED_PHASE: /* which may be incomplete when the next one's arrivals come */
        return SWP_BREAKS_ARRIVALS;
    case SWP_NAMED_BARRIER:
        return SWP_BREAKS_NAMED_BARRIER;
    case SWP_PHASE_ALIAS:
        return SWP_BREAKS_PHASE_ALIAS;
    case SWP_LOST_PEER:
        return SWP_BREAKS_LOST_PEER;
    case SWP_UNFENCED:
        return SWP_BREAKS_UNFENCED;
    case SWP_ACCUMULATOR_IN_FLIGHT:
        return SWP_BREAKS_ACCUMULATOR;
    default:
        return SWP_NO_SYMPTOM;
    }
}

bool breaks_a_rule(swp_hazard_kind kind)
{
    return rule_of(kind) != SWP_NO_SYMPTOM;
}

/* A register used, or loaded again, too soon, at the hazard's entry; tiles added, or written, in another order. */
static showing shown_right(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    if (hazard->kind == SWP_WRITE_RACE)
        return broken(hazard, outcome, SWP_BREAKS_WRITE_RACE) == SHOWN_PLAINLY ? SHOWN_RIGHT
                                                                               : NOT_SHOWN;
    const bool unready = hazard->kind == SWP_REGISTER_NOT_READY &&
                         instances(hazard, &outcome->unready) == SHOWN_PLAINLY;
    const bool reordered = hazard->kind == SWP_WRONG_TILE && names_operand(hazard, outcome);
    return unready || reordered ? SHOWN_RIGHT : NOT_SHOWN;
}

static showing look_for(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    if (breaks_a_rule(hazard->kind))
        return broken(hazard, outcome, rule_of(hazard->kind));
    switch (hazard->kind) {
    case SWP_OUT_OF_RANGE:
        return tile_outside(hazard, outcome);
    case SWP_DEADLOCK:
        return instances(hazard, &outcome->stuck);
    case SWP_COUNTER:
        return instances(hazard, &outcome->passed);
    default:
        if (outcome->values.count == 0)
            return shown_right(hazard, outcome);
        return names_operand(hazard, outcome) ? SHOWN_PLAINLY : SHOWN;
    }
}

static bool has_value(const swp_counterexample *found, const swp_run_outcome *outcome)
{
    return !found->has_value ||
           (outcome->values.count > 0 && outcome->values.items[0].got == found->value.got);
}

showing execute_hazard(const swp_schedule *schedule, const swp_hazard *hazard)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_counterexample found;
    swp_run_outcome outcome;
    showing out = NOT_SHOWN;
    assert_non_null(ctx);
    if (swp_counterexample_find(ctx, schedule, hazard, &found) == SWP_OK &&
        found.n == hazard->smallest_n) {
        assert_ok(ctx, swp_counterexample_replay(ctx, schedule, &found, &outcome));
        if (has_value(&found, &outcome))
            out = look_for(hazard, &outcome);
    }
    swp_context_free(ctx);
    return out;
}

static int next_tiles(const swp_schedule *schedule, int n, int least, int most)
{
    do
        n = n < most ? n + 1 : least;
    while (swp_schedule_form_of(schedule, n) < 0);
    return n;
}

int execute_adversarially(const swp_schedule *schedule, int runs, int least, int most)
{
    int wrong = 0;
    int n = least;
    for (int seed = 0; seed < runs; seed++) {
        const swp_run_options options = {
            .n = n, .timing = SWP_TIMING_ADVERSARIAL, .seed = (uint64_t)seed};
        swp_context *ctx = swp_context_new(NULL);
        swp_run_outcome outcome;
        assert_non_null(ctx);
        assert_ok(ctx, swp_run(ctx, schedule, &options, &outcome));
        wrong += outcome.symptom != SWP_NO_SYMPTOM;
        /* The seed chooses among so many timings: each N sees them all. */
        if (seed % SWP_TIMING_ADVERSARIAL == SWP_TIMING_ADVERSARIAL - 1)
            n = next_tiles(schedule, n, least, most);
        swp_context_free(ctx);
    }
    return wrong;
}
