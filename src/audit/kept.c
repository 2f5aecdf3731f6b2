/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kept.h"

#include "audit/align.h"
#include "base/text.h"

#include <string.h>

/* Passes of the loop that are laid out: one that the prologue feeds, one that the loop feeds. */
enum { PASSES = 2 };

/* One thing that must keep its place, with what is free to move behind it. */
typedef struct mark {
    swp_insn_kind kind; /* COMMIT, WAIT or BARRIER */
    int count;          /* of a wait; the number of a barrier in the code */
    int index;          /* entry of `phase`, or instruction; -1: the barrier before the loop */
    swp_phase phase;
    int match; /* the other side's; -1: none */
    int reads; /* of fragments between this barrier and the next; entries, or instructions */
    int products;
    int copies; /* of a group */
    int from;   /* marks before the first of them */
} mark;

typedef struct mark_list {
    mark *items;
    size_t count;
    size_t capacity;
} mark_list;

typedef struct comparison {
    swp_context *ctx;
    const swp_path *path;
    const swp_schedule *schedule;
    mark_list wanted;
    mark_list found;
    int copies; /* since the last group ended */
    int from;   /* marks before the first of them */
    swp_audit_report *out;
} comparison;

static const swp_insn *insn_at(const comparison *c, int index)
{
    return &c->path->flow->code->insns.items[index];
}

/* --- the two runs --- */

static swp_status push(const comparison *c, mark_list *list, mark added)
{
    added.match = -1;
    return SWP_PUSH(c->ctx, list, added);
}

/* The barrier, or the beginning, after which something stands. */
static mark *segment(mark_list *list)
{
    size_t at = list->count;
    while (at > 1 && list->items[at - 1].kind != SWP_INSN_BARRIER)
        at--;
    return &list->items[at - 1];
}

/* Every run begins as if with a barrier. */
static swp_status begin(const comparison *c, mark_list *list)
{
    return push(c, list, (mark){.kind = SWP_INSN_BARRIER, .index = -1});
}

static swp_status add_entry(comparison *c, swp_phase phase, int index)
{
    const swp_op *op = &swp_schedule_phase(c->schedule, phase)->items[index].op;
    mark added = {.index = index, .phase = phase, .count = op->wait_value};
    if (op->role == SWP_FRAGMENT_LOAD)
        segment(&c->wanted)->reads++;
    else if (op->role == SWP_COMPUTE)
        segment(&c->wanted)->products++;
    added.kind = op->role == SWP_GLOBAL_LOAD  ? SWP_INSN_COMMIT
                 : op->tag == SWP_TAG_WAIT_VM ? SWP_INSN_WAIT
                 : op->tag == SWP_TAG_BARRIER ? SWP_INSN_BARRIER
                                              : SWP_INSN_NOTHING;
    return added.kind == SWP_INSN_NOTHING ? SWP_OK : push(c, &c->wanted, added);
}

static swp_status add_insn(comparison *c, swp_phase phase, int index)
{
    const swp_insn *insn = insn_at(c, index);
    const bool barrier = insn->kind == SWP_INSN_BARRIER;
    mark added = {.kind = insn->kind,
                  .index = index,
                  .phase = phase,
                  .count = barrier ? (int)insn->value_number : insn->waits[SWP_AUDIT_VM]};
    if (insn->kind == SWP_INSN_COPY_TO_LDS && c->copies++ == 0)
        c->from = (int)c->found.count;
    if (insn->kind == SWP_INSN_COMMIT) {
        added.copies = c->copies;
        added.from = c->copies ? c->from : (int)c->found.count;
        c->copies = 0;
    }
    if (insn->kind == SWP_INSN_LDS_READ)
        segment(&c->found)->reads++;
    else if (insn->kind == SWP_INSN_MATRIX)
        segment(&c->found)->products++;
    if (insn->kind != SWP_INSN_COMMIT && insn->kind != SWP_INSN_WAIT &&
        insn->kind != SWP_INSN_BARRIER)
        return SWP_OK;
    return push(c, &c->found, added);
}

static swp_status lay_out_phase(comparison *c, swp_phase phase)
{
    const swp_entry_list *entries = swp_schedule_phase(c->schedule, phase);
    const swp_path_phase *way = &c->path->phases[phase];
    for (int pass = 0; pass < (phase == SWP_KERNEL ? PASSES : 1); pass++) {
        for (size_t i = 0; i < entries->count; i++)
            SWP_TRY(add_entry(c, phase, (int)i));
        for (size_t i = 0; i < way->count; i++)
            SWP_TRY(add_insn(c, phase, way->items[i]));
    }
    if (phase != SWP_PROLOGUE || c->schedule->loop.placement != SWP_PLACE_K_OFFSET)
        return SWP_OK;
    return push(c, &c->wanted,
                (mark){.kind = SWP_INSN_BARRIER, .index = -1, .phase = SWP_PROLOGUE});
}

/* --- the order that they share --- */

static int worth(const mark *wanted, const mark *found)
{
    enum { COMMIT = 8, BARRIER = 6, SAME_WAIT = 3, OTHER_WAIT = 1 };
    if (wanted->kind != found->kind)
        return 0;
    if (wanted->kind == SWP_INSN_WAIT)
        return wanted->count == found->count ? SAME_WAIT : OTHER_WAIT;
    return wanted->kind == SWP_INSN_COMMIT ? COMMIT : BARRIER;
}

static int pair_worth(const void *user, size_t row, size_t column)
{
    const comparison *c = user;
    return worth(&c->wanted.items[row], &c->found.items[column]);
}

static swp_status match(comparison *c)
{
    int *wanted = NULL;
    int *found = NULL;
    SWP_TRY(swp_align(c->ctx, c->wanted.count, c->found.count, pair_worth, c, &wanted, &found));
    for (size_t i = 0; i < c->wanted.count; i++)
        c->wanted.items[i].match = wanted[i];
    for (size_t i = 0; i < c->found.count; i++)
        c->found.items[i].match = found[i];
    return SWP_OK;
}

/* --- what is said of it --- */

static const char *entry_name(const comparison *c, const mark *wanted)
{
    if (wanted->index < 0)
        return "barrier before the loop";
    const swp_entry_list *entries = swp_schedule_phase(c->schedule, wanted->phase);
    return swp_schedule_op_name(c->schedule, entries->items[wanted->index].op.tag);
}

/* Passes repeat each other: once is enough. */
static bool said_already(const comparison *c, const swp_audit_change *change)
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

static swp_status say(comparison *c, swp_audit_change_kind kind, bool weakens, const mark *wanted,
                      const mark *found, const char *detail)
{
    swp_audit_change change = {.kind = kind, .weakens = weakens, .entry = -1};
    if (found)
        change.phase = found->phase;
    if (wanted) {
        change.phase = wanted->phase;
        change.entry = wanted->index;
    }
    if (found && found->index >= 0) {
        change.at.line = insn_at(c, found->index)->line;
        SWP_TRY(swp_copy_printable(c->ctx, insn_at(c, found->index)->text, &change.at.text));
    }
    SWP_TRY(swp_copy_printable_name(c->ctx, wanted ? entry_name(c, wanted) : "", &change.name));
    SWP_TRY(swp_copy_printable_name(c->ctx, detail, &change.detail));
    swp_audit_change_list *changes = &c->out->changes;
    return said_already(c, &change) ? SWP_OK : SWP_PUSH(c->ctx, changes, change);
}

static const char *kind_name(const mark *m)
{
    return m->kind == SWP_INSN_COMMIT ? "a group of copies"
           : m->kind == SWP_INSN_WAIT ? "a wait"
                                      : "a barrier";
}

static swp_status say_marks(comparison *c)
{
    for (size_t i = 0; i < c->wanted.count; i++) {
        const mark *wanted = &c->wanted.items[i];
        const mark *found = wanted->match < 0 ? NULL : &c->found.items[wanted->match];
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
        const mark *found = &c->found.items[i];
        char *detail = NULL;
        if (found->match >= 0)
            continue;
        SWP_TRY(swp_format(c->ctx, &detail, "%s that the schedule does not have there",
                           kind_name(found)));
        SWP_TRY(say(c, SWP_AUDIT_ADDED, found->kind == SWP_INSN_COMMIT, NULL, found, detail));
    }
    return SWP_OK;
}

/* --- copies and barriers --- */

static int channel_of(const comparison *c, const mark *wanted)
{
    return swp_schedule_phase(c->schedule, wanted->phase)->items[wanted->index].op.channel;
}

/* Copies of the first group of this one's channel. */
static int copies_of_channel(const comparison *c, const mark *wanted)
{
    const mark *other = c->wanted.items;
    while (other->kind != SWP_INSN_COMMIT || other->match < 0 ||
           channel_of(c, other) != channel_of(c, wanted))
        other++;
    return c->found.items[other->match].copies;
}

static swp_status say_copies(comparison *c, const mark *wanted, const mark *found)
{
    const int copies = copies_of_channel(c, wanted);
    char *detail = NULL;
    if (found->copies == 0 || found->copies != copies) {
        SWP_TRY(swp_format(c->ctx, &detail, "the group has %d copies, the first of its channel %d",
                           found->copies, copies));
        SWP_TRY(say(c, SWP_AUDIT_RECOUNTED, true, wanted, found, detail));
    }
    for (const mark *m = &c->found.items[found->from]; m < found; m++)
        if (m->kind == SWP_INSN_BARRIER && m->match >= 0)
            return say(c, SWP_AUDIT_MOVED, true, wanted, found,
                       "a copy of the group stands before a barrier that the group stands behind");
    return SWP_OK;
}

static swp_status say_number(comparison *c, const mark *wanted, const mark *found, int number)
{
    char *detail = NULL;
    if (found->count == number)
        return SWP_OK;
    SWP_TRY(swp_format(c->ctx, &detail, "meets barrier %d where others meet barrier %d",
                       found->count, number));
    return say(c, SWP_AUDIT_VANISHED, true, wanted, found, detail);
}

/* Groups have their copies, all behind the same barrier; and the barriers are one. */
static swp_status say_groups(comparison *c)
{
    const mark *first = NULL;
    for (size_t i = 1; i < c->wanted.count; i++) {
        const mark *wanted = &c->wanted.items[i];
        const mark *found = wanted->match < 0 ? NULL : &c->found.items[wanted->match];
        if (found && wanted->kind == SWP_INSN_COMMIT)
            SWP_TRY(say_copies(c, wanted, found));
        if (found && wanted->kind == SWP_INSN_BARRIER) {
            first = first ? first : found;
            SWP_TRY(say_number(c, wanted, found, first->count));
        }
    }
    return c->copies == 0 ? SWP_OK
                          : say(c, SWP_AUDIT_VANISHED, true, NULL, NULL,
                                "copies at the end of the code belong to no group");
}

/* --- what moves between barriers --- */

static int total(const mark_list *list, bool products)
{
    int sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += products ? list->items[i].products : list->items[i].reads;
    return sum;
}

/* Whether each entry has as many instructions in the loop as elsewhere. */
static bool is_even(const comparison *c, bool products)
{
    const swp_insn_kind kind = products ? SWP_INSN_MATRIX : SWP_INSN_LDS_READ;
    const swp_role role = products ? SWP_COMPUTE : SWP_FRAGMENT_LOAD;
    int entries[2] = {0, 0};
    int insns[2] = {0, 0};
    for (int phase = 0; phase < 3; phase++) {
        const swp_entry_list *list = swp_schedule_phase(c->schedule, (swp_phase)phase);
        const swp_path_phase *way = &c->path->phases[phase];
        for (size_t i = 0; i < list->count; i++)
            entries[phase == SWP_KERNEL] += list->items[i].op.role == role;
        for (size_t i = 0; i < way->count; i++)
            insns[phase == SWP_KERNEL] += insn_at(c, way->items[i])->kind == kind;
    }
    return (long long)insns[0] * entries[1] == (long long)insns[1] * entries[0];
}

/* Counts up to the barriers that both sides have: each is what moved past one of those. */
static swp_status say_moves(comparison *c, bool products)
{
    const int entries = total(&c->wanted, products);
    const int insns = total(&c->found, products);
    const char *what = products ? "multiplication" : "fragment read";
    int ahead = 0; /* instructions that stand before the barrier, less those that should */
    char *detail = NULL;
    if (entries == 0 || insns % entries != 0 || !is_even(c, products)) {
        SWP_TRY(swp_format(c->ctx, &detail, "%d %ss for %d entries: what moved cannot be counted",
                           insns, what, entries));
        return say(c, SWP_AUDIT_RECOUNTED, true, NULL, &c->found.items[0], detail);
    }
    size_t at = 0;
    for (size_t i = 0; i < c->wanted.count; i++) {
        const mark *wanted = &c->wanted.items[i];
        if (wanted->kind == SWP_INSN_BARRIER && wanted->match >= 0 && i > 0) {
            for (; at < (size_t)wanted->match; at++)
                ahead += products ? c->found.items[at].products : c->found.items[at].reads;
            if (ahead != 0) {
                const int count = ahead > 0 ? ahead : -ahead;
                SWP_TRY(swp_format(c->ctx, &detail, "%d %s%s that belong%s %s it %s before it",
                                   count, what, count == 1 ? "" : "s", count == 1 ? "s" : "",
                                   ahead > 0 ? "after" : "before",
                                   ahead > 0 ? "stand" : "do not stand"));
                SWP_TRY(say(c, SWP_AUDIT_MOVED, !products, wanted, &c->found.items[wanted->match],
                            detail));
            }
        }
        ahead -= insns / entries * (products ? wanted->products : wanted->reads);
    }
    return SWP_OK;
}

swp_status swp_compare_kept(swp_context *ctx, const swp_path *path, const swp_schedule *schedule,
                            swp_audit_report *out)
{
    comparison c = {.ctx = ctx, .path = path, .schedule = schedule, .out = out};
    SWP_TRY(begin(&c, &c.wanted));
    SWP_TRY(begin(&c, &c.found));
    for (int phase = 0; phase < 3; phase++)
        SWP_TRY(lay_out_phase(&c, (swp_phase)phase));
    SWP_TRY(match(&c));
    SWP_TRY(say_marks(&c));
    SWP_TRY(say_groups(&c));
    SWP_TRY(say_moves(&c, false));
    return say_moves(&c, true);
}
