/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multiplications: each is of the COMPUTE whose two fragments it multiplies, as the registers show,
 * and adds to what an earlier one of the same accumulator left.
 */
#include "audit/match/attribution.h"
#include "audit/match/entry_insn.h"

/* The entry that last wrote a fragment before a COMPUTE, in the order of the schedule. */
typedef struct fragment_at {
    swp_phase phase;
    int entry; /* -1: nothing wrote it */
    int pass;  /* of the loop */
} fragment_at;

typedef struct checker {
    swp_attribution *a;
    const swp_walk *walk;
    int *chain; /* by item: multiplications that its sum went through, itself the last; 0: none */
    bool *used; /* by item: another one went on with its sum */
    int per_compute; /* multiplications of each COMPUTE; 0: not known yet */
    int swapped;     /* 1: factors stand as the first one's, 2: swapped; 0: not known yet */
} checker;

static int last_fragment(const checker *c, swp_phase phase, int end, int fragment)
{
    const swp_effect *entries = c->a->effects->entries[phase];
    for (int i = end - 1; i >= 0; i--)
        if (swp_match_entry_writes_register(&entries[i], fragment))
            return i;
    return -1;
}

static int last_of_phase(const checker *c, swp_phase phase, int fragment)
{
    return last_fragment(c, phase, c->a->effects->lengths[phase], fragment);
}

/* Where a fragment that a COMPUTE multiplies was read, in a walk of so many passes. */
static fragment_at fragment_of(const checker *c, swp_phase phase, int pass, int entry, int fragment)
{
    const int here = last_fragment(c, phase, entry, fragment);
    if (here >= 0 || phase == SWP_PROLOGUE)
        return (fragment_at){phase, here, pass};
    for (int p = (phase == SWP_KERNEL ? pass : c->walk->passes) - 1; p >= 0; p--) {
        const int found = last_of_phase(c, SWP_KERNEL, fragment);
        if (found >= 0)
            return (fragment_at){SWP_KERNEL, found, p};
    }
    return (fragment_at){SWP_PROLOGUE, last_of_phase(c, SWP_PROLOGUE, fragment), 0};
}

static bool produced_by(const checker *c, int item, const fragment_at *fragment)
{
    if (item < 0)
        return false;
    const swp_item *producer = &c->walk->list.items[item];
    return producer->phase == fragment->phase && producer->pass == fragment->pass &&
           c->a->entry_of[item] == fragment->entry && fragment->entry >= 0;
}

/* Whether all registers of a factor come from this fragment. */
static bool factor_is(const checker *c, const swp_item *item, int source,
                      const fragment_at *fragment)
{
    for (int i = 0; i < item->source_counts[source]; i++)
        if (!produced_by(c, item->sources[source][i], fragment))
            return false;
    return item->source_counts[source] > 0;
}

/* 1: channel 0 by channel 1, 2: swapped, 0: neither. Either is right, if all do the same. */
static int multiplies(const checker *c, const swp_item *item, int entry)
{
    enum { STRAIGHT = 1, SWAPPED = 2 };
    const swp_access *factors = c->a->effects->entries[item->phase][entry].reads.items;
    const fragment_at a = fragment_of(c, item->phase, item->pass, entry, factors[0].where);
    const fragment_at b = fragment_of(c, item->phase, item->pass, entry, factors[1].where);
    if (factor_is(c, item, SWP_FACTOR_FIRST, &a) && factor_is(c, item, SWP_FACTOR_SECOND, &b))
        return STRAIGHT;
    return factor_is(c, item, SWP_FACTOR_FIRST, &b) && factor_is(c, item, SWP_FACTOR_SECOND, &a)
               ? SWAPPED
               : 0;
}

/* The producer of a factor's first register, in words. */
static const char *producer_name(const checker *c, const swp_item *item, int source)
{
    const int producer = item->source_counts[source] ? item->sources[source][0] : -1;
    const swp_entry *entry = producer >= 0 ? swp_match_item_entry(c->a, producer) : NULL;
    return entry ? swp_schedule_op_name(c->a->schedule, entry->op.tag) : "nothing that is known";
}

static int producer_line(const checker *c, const swp_item *item, int source)
{
    const int producer = item->source_counts[source] ? item->sources[source][0] : -1;
    return producer < 0 ? 0 : swp_match_item_insn(c->walk, &c->walk->list.items[producer])->line;
}

static bool is_compute(const swp_effect *entry)
{
    return swp_match_entry_insn(entry) == SWP_INSN_MATRIX;
}

static swp_status attribute_mma(checker *c, int index)
{
    const swp_item *item = &c->walk->list.items[index];
    const swp_effect *entries = c->a->effects->entries[item->phase];
    if (!item->in_order[SWP_FACTOR_FIRST] || !item->in_order[SWP_FACTOR_SECOND])
        return swp_match_obstacle_add(
            c->a, item->insn,
            "multiplies registers of a fragment in another order than they "
            "were read in, or with a modifier");
    for (int e = 0; e < c->a->effects->lengths[item->phase]; e++) {
        const int swapped = is_compute(&entries[e]) ? multiplies(c, item, e) : 0;
        if (!swapped)
            continue;
        c->a->entry_of[index] = e;
        c->swapped = c->swapped ? c->swapped : swapped;
        return swapped == c->swapped
                   ? SWP_OK
                   : swp_match_obstacle_add(c->a, item->insn,
                                            "has its factors in the other order than "
                                            "the first multiplication");
    }
    return swp_match_obstacle_add(
        c->a, item->insn,
        "multiplies %s (line %d) by %s (line %d), which no COMPUTE of the %s "
        "does",
        producer_name(c, item, SWP_FACTOR_FIRST), producer_line(c, item, SWP_FACTOR_FIRST),
        producer_name(c, item, SWP_FACTOR_SECOND), producer_line(c, item, SWP_FACTOR_SECOND),
        swp_phase_name(item->phase));
}

/* --- sums --- */

static bool same_accumulator(const checker *c, int first, int second)
{
    const swp_effect *a = swp_match_item_effect(c->a, first);
    const swp_effect *b = swp_match_item_effect(c->a, second);
    return a && b && a->accumulator == b->accumulator;
}

/* The multiplication whose sum this one goes on with; -1: it begins one, -2: several. */
static int summand_of(const swp_item *item)
{
    enum { SEVERAL = -2 };
    int producer = -1;
    for (int i = 0; i < item->source_counts[SWP_SUM]; i++) {
        const int here = item->sources[SWP_SUM][i];
        if (i > 0 && here != producer)
            return SEVERAL;
        producer = here;
    }
    return producer;
}

static swp_status follow_sum(checker *c, int index)
{
    const swp_item *item = &c->walk->list.items[index];
    const int before = summand_of(item);
    c->chain[index] = 1;
    if (before == -1)
        return item->from_zero
                   ? SWP_OK
                   : swp_match_obstacle_add(c->a, item->insn,
                                            "begins a sum with what is not known to be 0");
    if (before < 0 || !item->in_order[SWP_SUM] || c->chain[before] == 0 ||
        !same_accumulator(c, before, index))
        return swp_match_obstacle_add(c->a, item->insn, "adds to a sum of another accumulator");
    if (c->used[before])
        return swp_match_obstacle_add(c->a, item->insn,
                                      "adds to a sum that another multiplication went on with");
    c->used[before] = true;
    c->chain[index] = c->chain[before] + 1;
    return SWP_OK;
}

static bool is_mma(const checker *c, size_t index)
{
    return swp_match_item_insn(c->walk, &c->walk->list.items[index])->kind == SWP_INSN_MATRIX;
}

/* All sums that nothing goes on with went through as many multiplications. */
static swp_status check_lengths(checker *c)
{
    int length = 0;
    for (size_t i = 0; i < c->walk->list.count; i++) {
        if (!is_mma(c, i) || c->used[i] || c->chain[i] == 0)
            continue;
        if (length && c->chain[i] != length)
            return swp_match_obstacle_add(c->a, c->walk->list.items[i].insn,
                                          "ends a sum of %d multiplications where others have %d",
                                          c->chain[i], length);
        length = c->chain[i];
    }
    return SWP_OK;
}

static swp_status check_counts(checker *c, swp_phase phase, int pass)
{
    for (int e = 0; e < c->a->effects->lengths[phase]; e++) {
        int count = 0;
        if (!is_compute(&c->a->effects->entries[phase][e]))
            continue;
        for (int i = c->walk->first[phase][pass]; i < c->walk->end[phase][pass]; i++)
            count += is_mma(c, (size_t)i) && c->a->entry_of[i] == e;
        if (c->per_compute && count != c->per_compute)
            return swp_match_obstacle_add(
                c->a, -1,
                "%s entry %d is carried out by %d multiplications, others by "
                "%d",
                swp_phase_name(phase), e, count, c->per_compute);
        c->per_compute = count;
    }
    return SWP_OK;
}

swp_status swp_match_attribute_mmas(swp_attribution *attribution)
{
    checker c = {.a = attribution, .walk = attribution->walk};
    const size_t count = c.walk->list.count;
    SWP_TRY(SWP_TAKE(attribution->ctx, count, &c.chain));
    SWP_TRY(SWP_TAKE(attribution->ctx, count, &c.used));
    for (size_t i = 0; i < count; i++) {
        if (!is_mma(&c, i))
            continue;
        SWP_TRY(attribute_mma(&c, (int)i));
        SWP_TRY(follow_sum(&c, (int)i));
    }
    if (attribution->obstacles.count)
        return SWP_OK;
    for (int phase = 0; phase < 3; phase++)
        for (int pass = 0; pass < swp_match_walk_passes(c.walk, (swp_phase)phase); pass++)
            SWP_TRY(check_counts(&c, (swp_phase)phase, pass));
    return check_lengths(&c);
}
