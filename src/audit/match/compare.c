/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two lists, entries and instructions, and the longest order that they share: what is not in it was
 * moved, or is there on one side only.
 */
#include "audit/match/compare.h"

#include "audit/flow/findings.h"
#include "audit/match/align.h"
#include "audit/match/entry_insn.h"
#include "audit/match/sequence.h"
#include "base/diag.h"
#include "base/text.h"
#include "ir/implied_barriers.h"

typedef struct comparison {
    const swp_attribution *a;
    const swp_walk *walk;
    swp_phase phase;
    swp_sequence wanted; /* the schedule's */
    swp_sequence found;  /* the code's */
    int *of_wanted;      /* by element of one side: that of the other; -1: none */
    int *of_found;
    swp_audit_change_list *out;
} comparison;

/* What a pair is worth: an access says more than a wait, an equal wait more than another one. */
enum { WORTH_ACCESS = 8, WORTH_BARRIER = 6, WORTH_WAIT = 3, WORTH_OTHER_WAIT = 1 };

static const swp_entry_list *entries_of(const comparison *c)
{
    return swp_schedule_phase(c->a->schedule, c->phase);
}

/* --- the order that they share --- */

static int worth(const swp_element *wanted, const swp_element *found)
{
    if (wanted->is_wait != found->is_wait || wanted->is_barrier != found->is_barrier)
        return 0;
    if (wanted->is_barrier)
        return WORTH_BARRIER;
    if (!wanted->is_wait)
        return wanted->entry == found->entry ? WORTH_ACCESS : 0;
    if (wanted->counter != found->counter)
        return 0;
    return wanted->count == found->count ? WORTH_WAIT : WORTH_OTHER_WAIT;
}

static int pair_worth(const void *user, size_t row, size_t column)
{
    const comparison *c = user;
    return worth(&c->wanted.items[row], &c->found.items[column]);
}

/* --- what is said of it --- */

static bool has_number(const comparison *c, int entry)
{
    return entry >= 0 && entry < swp_ir_published_count(entries_of(c));
}

static const char *name_of(const comparison *c, int entry)
{
    if (!has_number(c, entry))
        return "barrier before the loop";
    return swp_schedule_op_name(c->a->schedule, entries_of(c)->items[entry].op.tag);
}

static swp_status add(comparison *c, swp_audit_change_kind kind, int entry, int item,
                      const char *detail)
{
    swp_audit_change change = {
        .kind = kind, .phase = c->phase, .entry = has_number(c, entry) ? entry : -1};
    SWP_TRY(swp_code_copy_printable_name(c->a->ctx, detail, &change.detail));
    SWP_TRY(
        swp_code_copy_printable_name(c->a->ctx, entry < 0 ? "" : name_of(c, entry), &change.name));
    const swp_insn *insn =
        item < 0 ? NULL : swp_match_item_insn(c->walk, &c->walk->list.items[item]);
    SWP_TRY(swp_flow_set_site(c->a->ctx, insn, &change.at));
    return SWP_PUSH(c->a->ctx, c->out, change);
}

/* The nearest access or barrier before an element of a list that both sides have in order. */
static void add_neighbour(const comparison *c, swp_text *text, const swp_sequence *list, size_t at)
{
    while (at > 0) {
        const swp_element *before = &list->items[--at];
        const int match = (list == &c->wanted ? c->of_wanted : c->of_found)[at];
        if (match >= 0 && !before->is_wait) {
            const int entry = list == &c->wanted ? before->entry : c->wanted.items[match].entry;
            swp_text_format(text, "behind %s (entry %d)", name_of(c, entry), entry);
            return;
        }
    }
    swp_text_format(text, "first");
}

static int element_of_entry(const comparison *c, int entry)
{
    for (size_t i = 0; i < c->found.count; i++)
        if (!c->found.items[i].is_wait && !c->found.items[i].is_barrier &&
            c->found.items[i].entry == entry)
            return (int)i;
    return -1;
}

static swp_status say_moved(comparison *c, size_t wanted, int found)
{
    swp_text text = {.ctx = c->a->ctx};
    char *detail = NULL;
    swp_text_format(&text, "the schedule has it ");
    add_neighbour(c, &text, &c->wanted, wanted);
    swp_text_format(&text, ", the code ");
    add_neighbour(c, &text, &c->found, (size_t)found);
    SWP_TRY(swp_text_end(&text, &detail, NULL));
    return add(c, SWP_AUDIT_MOVED, c->wanted.items[wanted].entry, c->found.items[found].item,
               detail);
}

static swp_status say_vanished(comparison *c, size_t wanted)
{
    swp_text text = {.ctx = c->a->ctx};
    char *detail = NULL;
    const swp_element *t = &c->wanted.items[wanted];
    if (t->is_wait)
        swp_text_format(&text, "no wait for %s(%d) stands ", swp_code_counter_name(t->counter),
                        t->count);
    else
        swp_text_format(&text, "nothing of it stands ");
    add_neighbour(c, &text, &c->wanted, wanted);
    SWP_TRY(swp_text_end(&text, &detail, NULL));
    return add(c, SWP_AUDIT_VANISHED, t->entry, -1, detail);
}

static swp_status say_rewaited(comparison *c, const swp_element *wanted, const swp_element *found)
{
    char *detail = NULL;
    SWP_TRY(swp_format(c->a->ctx, &detail, "%s(%d) instead of %s(%d): %s",
                       swp_code_counter_name(found->counter), found->count,
                       swp_code_counter_name(wanted->counter), wanted->count,
                       found->count < wanted->count ? "it waits for more" : "it waits for less"));
    return add(c, SWP_AUDIT_REWAITED, wanted->entry, found->item, detail);
}

static swp_status say_added(comparison *c, size_t found)
{
    swp_text text = {.ctx = c->a->ctx};
    char *detail = NULL;
    const swp_element *t = &c->found.items[found];
    if (t->is_wait)
        swp_text_format(&text, "a wait for %s(%d) ", swp_code_counter_name(t->counter), t->count);
    else
        swp_text_format(&text, "a barrier ");
    add_neighbour(c, &text, &c->found, found);
    SWP_TRY(swp_text_end(&text, &detail, NULL));
    return add(c, SWP_AUDIT_ADDED, -1, t->item, detail);
}

static swp_status say_differences(comparison *c)
{
    for (size_t i = 0; i < c->wanted.count; i++) {
        const swp_element *wanted = &c->wanted.items[i];
        const bool plain = !wanted->is_wait && !wanted->is_barrier;
        const int found = plain ? element_of_entry(c, wanted->entry) : -1;
        const int match = c->of_wanted[i];
        if (match < 0 && found >= 0)
            SWP_TRY(say_moved(c, i, found));
        else if (match < 0)
            SWP_TRY(say_vanished(c, i));
        else if (wanted->is_wait && c->found.items[match].count != wanted->count)
            SWP_TRY(say_rewaited(c, wanted, &c->found.items[match]));
    }
    for (size_t i = 0; i < c->found.count; i++)
        if (c->of_found[i] < 0 && (c->found.items[i].is_wait || c->found.items[i].is_barrier))
            SWP_TRY(say_added(c, i));
    return SWP_OK;
}

/* --- how many accesses --- */

static swp_status say_count(comparison *c, int entry, int stated)
{
    int accesses = 0;
    int parts = 0;
    int first = -1;
    char *detail = NULL;
    for (int i = c->walk->first[c->phase][0]; i < c->walk->end[c->phase][0]; i++) {
        if (c->a->entry_of[i] != entry)
            continue;
        first = first < 0 ? i : first;
        accesses++;
        parts += swp_match_item_insn(c->walk, &c->walk->list.items[i])->lds.parts;
    }
    if (accesses == stated || accesses == 0)
        return SWP_OK;
    const bool merged = accesses < stated && parts == stated;
    SWP_TRY(swp_format(c->a->ctx, &detail, "%d counted accesses, %d in the schedule%s", accesses,
                       stated, merged ? ": pairs of reads became one" : ""));
    return add(c, merged ? SWP_AUDIT_MERGED : SWP_AUDIT_RECOUNTED, entry, first, detail);
}

static swp_status say_counts(comparison *c)
{
    for (int e = 0; e < c->a->effects->lengths[c->phase]; e++) {
        const swp_effect *effect = &c->a->effects->entries[c->phase][e];
        if (swp_match_entry_place(effect) >= 0 && !effect->assumed)
            SWP_TRY(say_count(c, e, effect->accesses));
    }
    return SWP_OK;
}

static swp_status compare_phase(comparison *c)
{
    SWP_TRY(swp_match_sequence_of_schedule(c->a, c->phase, &c->wanted));
    SWP_TRY(swp_match_sequence_of_code(c->a, c->phase, &c->found));
    SWP_TRY(swp_match_align(c->a->ctx, swp_flow_place(c->walk->path->flow), c->wanted.count,
                            c->found.count, pair_worth, c, &c->of_wanted, &c->of_found));
    SWP_TRY(say_differences(c));
    return say_counts(c);
}

swp_status swp_match_compare(const swp_attribution *attribution, swp_audit_change_list *out)
{
    comparison c = {.a = attribution, .walk = attribution->walk, .out = out};
    for (int phase = 0; phase < 3; phase++) {
        c.phase = (swp_phase)phase;
        SWP_TRY(compare_phase(&c));
    }
    return SWP_OK;
}
