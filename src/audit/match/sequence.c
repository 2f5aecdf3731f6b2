/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a phase has a place in an order, read off entries and off instructions alike, so that the
 * two can be aligned.
 */
#include "audit/match/sequence.h"

#include "audit/match/entry_insn.h"

static int counter_max(const swp_attribution *a, int counter)
{
    return a->walk->path->flow->code->counter_max[counter];
}

static swp_status add_entry(const swp_attribution *a, const swp_effect *effect, int entry,
                            swp_sequence *out)
{
    const int counter = swp_match_counter_of(effect->waits);
    const bool is_wait = effect->kind == SWP_EFFECT_WAIT;
    const swp_element added = {.is_wait = is_wait,
                               .is_barrier = effect->kind == SWP_EFFECT_BARRIER,
                               .counter = counter,
                               .count = effect->wait,
                               .entry = entry,
                               .item = -1};
    /* Hints order nothing; a wait for a counter's largest value is none. */
    if (effect->kind == SWP_EFFECT_NONE || (is_wait && effect->wait >= counter_max(a, counter)))
        return SWP_OK;
    return SWP_PUSH(a->ctx, out, added);
}

swp_status swp_match_sequence_of_schedule(const swp_attribution *attribution, swp_phase phase,
                                          swp_sequence *out)
{
    *out = (swp_sequence){0};
    for (int i = 0; i < attribution->effects->lengths[phase]; i++)
        SWP_TRY(add_entry(attribution, &attribution->effects->entries[phase][i], i, out));
    return SWP_OK;
}

static swp_status add_wait(const swp_attribution *a, const swp_insn *insn, swp_element added,
                           swp_sequence *out)
{
    added.is_wait = true;
    for (int counter = 0; counter < SWP_AUDIT_COUNTERS; counter++) {
        added.counter = counter;
        added.count = insn->waits[counter];
        if (added.count != SWP_NO_WAIT && added.count < counter_max(a, counter))
            SWP_TRY(SWP_PUSH(a->ctx, out, added));
    }
    return SWP_OK;
}

static swp_status add_item(const swp_attribution *a, int item, swp_sequence *out)
{
    const swp_insn *insn = swp_match_item_insn(a->walk, &a->walk->list.items[item]);
    const swp_element added = {
        .entry = a->entry_of[item], .item = item, .is_barrier = insn->kind == SWP_INSN_BARRIER};
    if (insn->kind == SWP_INSN_WAIT)
        return add_wait(a, insn, added, out);
    return added.is_barrier || (added.entry >= 0 && swp_match_item_is_first_part(a, item))
               ? SWP_PUSH(a->ctx, out, added)
               : SWP_OK;
}

swp_status swp_match_sequence_of_code(const swp_attribution *attribution, swp_phase phase,
                                      swp_sequence *out)
{
    const swp_walk *walk = attribution->walk;
    *out = (swp_sequence){0};
    for (int i = walk->first[phase][0]; i < walk->end[phase][0]; i++)
        SWP_TRY(add_item(attribution, i, out));
    return SWP_OK;
}
