/* SPDX-License-Identifier: Apache-2.0 */
/* One path through a function against the schedule: the order that they share, and what is not in it. */
#include "audit/match/sass_compare.h"

#include "audit/flow/findings.h"
#include "audit/match/align.h"
#include "audit/match/entry_insn.h"
#include "audit/match/sync_points.h"
#include "base/text.h"

#include <string.h>

typedef struct change_comparison {
    swp_context *ctx;
    const swp_path *path;
    const swp_insn *untaken; /* the BRA.CONV that the path falls through; NULL: none */
    const swp_schedule *schedule;
    const swp_effects *effects; /* of its entries */
    swp_sync_point_list wanted;
    swp_sync_point_list found;
    int *of_wanted; /* by point of one side: that of the other; -1: none */
    int *of_found;
    swp_audit_report *out;
} change_comparison;

static const swp_insn *insn_at(const change_comparison *c, int index)
{
    return &c->path->flow->code->insns.items[index];
}

/* --- the order that they share --- */

static int worth(const void *user, size_t row, size_t column)
{
    enum { COMMIT = 8, BARRIER = 6, SAME_WAIT = 3, OTHER_WAIT = 1 };
    const change_comparison *c = user;
    const swp_sync_point *wanted = &c->wanted.items[row];
    const swp_sync_point *found = &c->found.items[column];
    if (wanted->kind != found->kind)
        return 0;
    if (wanted->kind == SWP_INSN_WAIT)
        return wanted->count == found->count ? SAME_WAIT : OTHER_WAIT;
    return wanted->kind == SWP_INSN_COMMIT ? COMMIT : BARRIER;
}

/* The point of the code that is this one of the schedule; NULL: none is. */
static const swp_sync_point *found_for(const change_comparison *c, size_t wanted)
{
    return c->of_wanted[wanted] < 0 ? NULL : &c->found.items[c->of_wanted[wanted]];
}

/* --- what is said of it --- */

static const char *entry_name(const change_comparison *c, const swp_sync_point *wanted)
{
    if (wanted->index < 0)
        return "barrier before the loop";
    const swp_entry_list *entries = swp_schedule_phase(c->schedule, wanted->phase);
    return swp_schedule_op_name(c->schedule, entries->items[wanted->index].op.tag);
}

/* Passes and paths repeat each other: once is enough. */
static bool said_already(const change_comparison *c, const swp_audit_change *change)
{
    for (size_t i = 0; i < c->out->changes.count; i++) {
        const swp_audit_change *known = &c->out->changes.items[i];
        if (known->kind == change->kind && known->phase == change->phase &&
            known->entry == change->entry && known->at.line == change->at.line &&
            strcmp(known->detail, change->detail) == 0)
            return true;
    }
    return false;
}

/* What may go wrong for some warps only is said so. */
static swp_status set_detail(const change_comparison *c, const char *detail,
                             swp_audit_change *change)
{
    char *text = NULL;
    if (!change->weakens || !c->untaken)
        return swp_code_copy_printable_name(c->ctx, detail, &change->detail);
    SWP_TRY(swp_format(c->ctx, &text, "%s, for warps that do not take BRA.CONV (line %d)", detail,
                       c->untaken->line));
    change->detail = text;
    return SWP_OK;
}

static swp_status say(change_comparison *c, swp_audit_change_kind kind, bool weakens,
                      const swp_sync_point *wanted, const swp_sync_point *found, const char *detail)
{
    swp_audit_change change = {.kind = kind, .weakens = weakens, .entry = -1};
    if (found)
        change.phase = found->phase;
    if (wanted) {
        change.phase = wanted->phase;
        change.entry = wanted->index;
    }
    SWP_TRY(swp_flow_set_site(c->ctx, found && found->index >= 0 ? insn_at(c, found->index) : NULL,
                              &change.at));
    SWP_TRY(
        swp_code_copy_printable_name(c->ctx, wanted ? entry_name(c, wanted) : "", &change.name));
    SWP_TRY(set_detail(c, detail, &change));
    swp_audit_change_list *changes = &c->out->changes;
    return said_already(c, &change) ? SWP_OK : SWP_PUSH(c->ctx, changes, change);
}

static const char *kind_name(const swp_sync_point *m)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a point of a list */
    return m->kind == SWP_INSN_COMMIT ? "a group of copies"
           : m->kind == SWP_INSN_WAIT ? "a wait"
                                      : "a barrier";
}

static swp_status say_sync_points(change_comparison *c)
{
    for (size_t i = 0; i < c->wanted.count; i++) {
        const swp_sync_point *wanted = &c->wanted.items[i];
        const swp_sync_point *found = found_for(c, i);
        char *detail = NULL;
        if (!found) {
            SWP_TRY(swp_format(c->ctx, &detail, "%s is missing in its place", kind_name(wanted)));
            SWP_TRY(say(c, SWP_AUDIT_VANISHED, true, wanted, NULL, detail));
        } else if (wanted->kind == SWP_INSN_WAIT && wanted->count != found->count) {
            SWP_TRY(swp_format(c->ctx, &detail, "up to %d groups stay outstanding instead of %d",
                               found->count, wanted->count));
            SWP_TRY(
                say(c, SWP_AUDIT_REWAITED, found->count > wanted->count, wanted, found, detail));
        }
    }
    for (size_t i = 0; i < c->found.count; i++) {
        const swp_sync_point *found = &c->found.items[i];
        char *detail = NULL;
        if (c->of_found[i] >= 0)
            continue;
        SWP_TRY(swp_format(c->ctx, &detail, "%s that the schedule does not have there",
                           kind_name(found)));
        SWP_TRY(say(c, SWP_AUDIT_ADDED, found->kind == SWP_INSN_COMMIT, NULL, found, detail));
    }
    return SWP_OK;
}

/* --- copies and barriers --- */

static int channel_of(const change_comparison *c, const swp_sync_point *wanted)
{
    return swp_schedule_phase(c->schedule, wanted->phase)->items[wanted->index].op.channel;
}

/* Copies of the first group of this one's channel. */
static int copies_of_channel(const change_comparison *c, const swp_sync_point *wanted)
{
    size_t other = 0;
    while (c->wanted.items[other].kind != SWP_INSN_COMMIT || !found_for(c, other) ||
           channel_of(c, &c->wanted.items[other]) != channel_of(c, wanted))
        other++;
    return found_for(c, other)->copies;
}

static swp_status say_copies(change_comparison *c, const swp_sync_point *wanted,
                             const swp_sync_point *found)
{
    const int copies = copies_of_channel(c, wanted);
    char *detail = NULL;
    if (found->copies == 0 || found->copies != copies) {
        SWP_TRY(swp_format(c->ctx, &detail, "the group has %d copies, the first of its channel %d",
                           found->copies, copies));
        SWP_TRY(say(c, SWP_AUDIT_RECOUNTED, true, wanted, found, detail));
    }
    for (int m = found->from; &c->found.items[m] < found; m++)
        if (c->found.items[m].kind == SWP_INSN_BARRIER && c->of_found[m] >= 0)
            return say(c, SWP_AUDIT_MOVED, true, wanted, found,
                       "a copy of the group stands before a barrier that the group stands behind");
    return SWP_OK;
}

static swp_status say_number(change_comparison *c, const swp_sync_point *wanted,
                             const swp_sync_point *found, int number)
{
    char *detail = NULL;
    if (found->count == number)
        return SWP_OK;
    SWP_TRY(swp_format(c->ctx, &detail, "is barrier %d where others are barrier %d", found->count,
                       number));
    return say(c, SWP_AUDIT_VANISHED, true, wanted, found, detail);
}

/* Groups have their copies, all behind the same barrier; and the barriers are one. */
static swp_status say_groups(change_comparison *c, int loose)
{
    const swp_sync_point *first = NULL;
    for (size_t i = 1; i < c->wanted.count; i++) {
        const swp_sync_point *wanted = &c->wanted.items[i];
        const swp_sync_point *found = found_for(c, i);
        if (found && wanted->kind == SWP_INSN_COMMIT)
            SWP_TRY(say_copies(c, wanted, found));
        if (found && wanted->kind == SWP_INSN_BARRIER) {
            first = first ? first : found;
            SWP_TRY(say_number(c, wanted, found, first->count));
        }
    }
    return loose == 0 ? SWP_OK
                      : say(c, SWP_AUDIT_VANISHED, true, NULL, NULL,
                            "copies at the end of the code belong to no group");
}

/* --- what moves between barriers --- */

static int total(const swp_sync_point_list *list, bool mmas)
{
    int sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += mmas ? list->items[i].mmas : list->items[i].reads;
    return sum;
}

/* Whether each entry has as many instructions in the loop as elsewhere. */
static bool is_even(const change_comparison *c, bool mmas)
{
    const swp_insn_kind kind = mmas ? SWP_INSN_MATRIX : SWP_INSN_LDS_READ;
    int entries[2] = {0, 0};
    int insns[2] = {0, 0};
    for (int phase = 0; phase < 3; phase++) {
        const swp_path_phase *code = &c->path->phases[phase];
        for (int i = 0; i < c->effects->lengths[phase]; i++)
            entries[phase == SWP_KERNEL] +=
                swp_match_entry_insn(&c->effects->entries[phase][i]) == kind;
        for (size_t i = 0; i < code->count; i++)
            insns[phase == SWP_KERNEL] += insn_at(c, code->items[i])->kind == kind;
    }
    return (long long)insns[0] * entries[1] == (long long)insns[1] * entries[0];
}

/* Counts up to the barriers that both sides have: each is what moved past one of those. */
static swp_status say_moves(change_comparison *c, bool mmas)
{
    const int entries = total(&c->wanted, mmas);
    const int insns = total(&c->found, mmas);
    const char *what = mmas ? "multiplication" : "fragment read";
    int ahead = 0; /* instructions that stand before the barrier, less those that should */
    char *detail = NULL;
    if (entries == 0 || insns % entries != 0 || !is_even(c, mmas)) {
        SWP_TRY(swp_format(c->ctx, &detail, "%d %ss for %d entries: what moved cannot be counted",
                           insns, what, entries));
        return say(c, SWP_AUDIT_RECOUNTED, true, NULL, &c->found.items[0], detail);
    }
    size_t at = 0;
    for (size_t i = 0; i < c->wanted.count; i++) {
        const swp_sync_point *wanted = &c->wanted.items[i];
        const swp_sync_point *found = found_for(c, i);
        if (wanted->kind == SWP_INSN_BARRIER && found && i > 0) {
            for (; at < (size_t)c->of_wanted[i]; at++)
                ahead += mmas ? c->found.items[at].mmas : c->found.items[at].reads;
            if (ahead != 0) {
                const int count = ahead > 0 ? ahead : -ahead;
                SWP_TRY(swp_format(c->ctx, &detail, "%d %s%s that belong%s %s it %s before it",
                                   count, what, count == 1 ? "" : "s", count == 1 ? "s" : "",
                                   ahead > 0 ? "after" : "before",
                                   ahead > 0 ? "stand" : "do not stand"));
                SWP_TRY(say(c, SWP_AUDIT_MOVED, !mmas, wanted, found, detail));
            }
        }
        ahead -= insns / entries * (mmas ? wanted->mmas : wanted->reads);
    }
    return SWP_OK;
}

swp_status swp_match_sass_path(swp_context *ctx, const swp_path *path, const swp_insn *untaken,
                               const swp_effects *effects, swp_audit_report *out)
{
    change_comparison c = {.ctx = ctx,
                           .path = path,
                           .untaken = untaken,
                           .schedule = effects->schedule,
                           .effects = effects,
                           .out = out};
    int loose = 0;
    SWP_TRY(swp_match_sync_points_of_schedule(ctx, effects, &c.wanted));
    SWP_TRY(swp_match_sync_points_of_code(ctx, path, &c.found, &loose));
    SWP_TRY(swp_match_align(ctx, swp_flow_place(path->flow), c.wanted.count, c.found.count, worth,
                            &c, &c.of_wanted, &c.of_found));
    SWP_TRY(say_sync_points(&c));
    SWP_TRY(say_groups(&c, loose));
    SWP_TRY(say_moves(&c, false));
    return say_moves(&c, true);
}
