/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what went wrong in a run with what a hazard says goes wrong. */
#include "run/shown.h"

#include "run/outcome.h"

swp_symptom swp_run_symptom_of(swp_hazard_kind kind)
{
    switch (kind) {
    case SWP_OUT_OF_RANGE:
        return SWP_TILE_OUTSIDE;
    case SWP_DEADLOCK:
        return SWP_WAITS_FOR_EVER;
    case SWP_COUNTER:
        return SWP_COUNTER_PASSED;
    case SWP_ARRIVALS:
    case SWP_UNOBSERVED_PHASE: /* where nobody waits for a phase, it may be incomplete */
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
    case SWP_STALE_READ:
    case SWP_OVERWRITTEN:
    case SWP_WRITE_RACE:
    case SWP_WRONG_TILE:
    case SWP_MISSING_WORK:
    case SWP_DOUBLE_WORK:
    case SWP_REGISTER_NOT_READY:
    case SWP_FENCE_PLACE:
    case SWP_HAZARD_KINDS:
        break;
    }
    return SWP_WRONG_VALUE;
}

swp_symptom swp_run_lesser_symptom_of(swp_hazard_kind kind)
{
    if (kind == SWP_REGISTER_NOT_READY)
        return SWP_REGISTER_IN_FLIGHT;
    if (kind == SWP_WRITE_RACE)
        return SWP_BREAKS_WRITE_RACE;
    return kind == SWP_WRONG_TILE ? SWP_OTHER_TILE : swp_run_symptom_of(kind);
}

static bool is_at(swp_instance instance, int role, swp_entry_ref ref)
{
    return instance.stream == role && instance.phase == ref.phase && instance.entry == ref.entry;
}

static bool is_here(const swp_hazard *hazard, swp_instance instance)
{
    return is_at(instance, hazard->stream, hazard->at);
}

static bool is_other(const swp_hazard *hazard, swp_instance instance)
{
    return hazard->has_other && is_at(instance, hazard->other_stream, hazard->other);
}

static bool tile_is_outside(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    for (size_t i = 0; i < outcome->outside.count; i++)
        if (is_here(hazard, outcome->outside.items[i].at))
            return true;
    return false;
}

static bool is_among(const swp_hazard *hazard, const swp_instance_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_here(hazard, list->items[i]))
            return true;
    return false;
}

static bool breaks_here(const swp_hazard *hazard, const swp_run_outcome *outcome, swp_symptom rule)
{
    for (size_t i = 0; i < outcome->broken.count; i++)
        if (outcome->broken.items[i].rule == rule && is_here(hazard, outcome->broken.items[i].at))
            return true;
    return false;
}

static bool shows_lesser(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    switch (swp_run_lesser_symptom_of(hazard->kind)) {
    case SWP_REGISTER_IN_FLIGHT:
        return is_among(hazard, &outcome->unready);
    case SWP_OTHER_TILE:
        return outcome->other_tiles > 0;
    case SWP_BREAKS_WRITE_RACE:
        return breaks_here(hazard, outcome, SWP_BREAKS_WRITE_RACE);
    default:
        return false;
    }
}

static swp_run_plainness operand_shows(const swp_hazard *hazard, const swp_wrong_operand *operand)
{
    const bool has_reader = is_here(hazard, operand->reader) || is_other(hazard, operand->reader);
    const bool has_other = operand->has_other && hazard->has_other &&
                           (is_here(hazard, operand->other) || is_other(hazard, operand->other));
    if (has_other && (has_reader || hazard->kind == SWP_WRITE_RACE))
        return SWP_RUN_SHOWN_PLAINLY;
    return has_reader || has_other ? SWP_RUN_SHOWN_AMONG : SWP_RUN_SHOWN;
}

/* A rule of warp roles, at the entry of the hazard or at another one. */
static swp_run_plainness rule_shows(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    const swp_symptom rule = swp_run_symptom_of(hazard->kind);
    if (breaks_here(hazard, outcome, rule))
        return SWP_RUN_SHOWN_PLAINLY;
    return swp_run_breaks(outcome, rule) ? SWP_RUN_SHOWN : SWP_RUN_NOT_SHOWN;
}

swp_run_plainness swp_run_shows(const swp_hazard *hazard, const swp_run_outcome *outcome)
{
    switch (swp_run_symptom_of(hazard->kind)) {
    case SWP_TILE_OUTSIDE:
        return tile_is_outside(hazard, outcome) ? SWP_RUN_SHOWN_PLAINLY : SWP_RUN_NOT_SHOWN;
    case SWP_WAITS_FOR_EVER:
        return outcome->stuck.count ? SWP_RUN_SHOWN_PLAINLY : SWP_RUN_NOT_SHOWN;
    case SWP_COUNTER_PASSED:
        return outcome->passed.count ? SWP_RUN_SHOWN_PLAINLY : SWP_RUN_NOT_SHOWN;
    case SWP_BREAKS_ARRIVALS:
    case SWP_BREAKS_NAMED_BARRIER:
    case SWP_BREAKS_PHASE_ALIAS:
    case SWP_BREAKS_LOST_PEER:
    case SWP_BREAKS_UNFENCED:
    case SWP_BREAKS_ACCUMULATOR:
        return rule_shows(hazard, outcome);
    case SWP_WRONG_VALUE:
    case SWP_REGISTER_IN_FLIGHT:
    case SWP_OTHER_TILE:
    case SWP_BREAKS_WRITE_RACE:
    case SWP_NO_SYMPTOM:
    case SWP_SYMPTOM_COUNT:
        break;
    }
    if (!outcome->values.count)
        return shows_lesser(hazard, outcome) ? SWP_RUN_SHOWN_RIGHT : SWP_RUN_NOT_SHOWN;
    return outcome->operands.count ? operand_shows(hazard, &outcome->operands.items[0])
                                   : SWP_RUN_SHOWN;
}
