/* SPDX-License-Identifier: Apache-2.0 */
/* A conflict in words: what comes too early, the link that is missing, and what would be enough. */
#include "audit/flow/conflicts.h"
#include "audit/flow/findings.h"

#include "base/text.h"

typedef struct writer {
    const swp_fixpoint *fixpoint;
    const swp_conflict *conflict;
    swp_text text;
} writer;

static const swp_insn *insn_at(const writer *w, int index)
{
    return &w->fixpoint->flow->code->insns.items[index];
}

static swp_slice name_of(const swp_insn *insn)
{
    swp_slice rest = insn->text;
    return swp_code_slice_take_word(&rest);
}

static void add_insn(writer *w, int index)
{
    const swp_insn *insn = insn_at(w, index);
    swp_text_format(&w->text, "%.*s (line %d)", SWP_SLICE_FORMAT(name_of(insn)), insn->line);
}

/* The count that a wait must have to retire the other access. */
static int count_wanted(const swp_conflict *c, int after)
{
    return c->out_of_order ? 0 : after;
}

static bool wait_is_there(const writer *w)
{
    const swp_conflict *c = w->conflict;
    return c->counter >= 0 && c->access.wait >= 0 &&
           insn_at(w, c->access.wait)->waits[c->counter] != SWP_NO_WAIT;
}

/* What stands between the two but is counted elsewhere: what a compiler may have counted on. */
static int miscounted(const writer *w)
{
    const swp_conflict *c = w->conflict;
    for (int i = c->other + 1; i < c->at && c->counter >= 0; i++)
        if (insn_at(w, i)->kind == SWP_INSN_LOAD_TO_LDS && c->counter == SWP_AUDIT_LGKM)
            return i;
    return -1;
}

static void add_wait(writer *w)
{
    const swp_conflict *c = w->conflict;
    const char *counter = swp_code_counter_name(c->counter);
    if (!wait_is_there(w)) {
        swp_text_format(&w->text, "; no wait on %s stands between them", counter);
        return;
    }
    const int allowed = insn_at(w, c->access.wait)->waits[c->counter];
    swp_text_format(&w->text, "; the wait in line %d lets %d stay outstanding, ",
                    insn_at(w, c->access.wait)->line, allowed);
    if (c->out_of_order) {
        swp_text_format(&w->text, "but this one retires out of order: only a wait for 0 will do");
        return;
    }
    swp_text_format(&w->text, "but %s counts %d after it", counter, c->access.wait_after);
    const int other = miscounted(w);
    if (other >= 0) {
        swp_text_format(&w->text, ": ");
        add_insn(w, other);
        swp_text_format(&w->text, " is counted by vmcnt, not by lgkmcnt");
    }
}

static void add_divergence(writer *w)
{
    const swp_conflict *c = w->conflict;
    const int line = insn_at(w, c->divergent_branch)->line;
    if (c->before_branch)
        swp_text_format(&w->text,
                        "; it may be in flight in waves that take the other path at the branch in "
                        "line %d, whatever this one waits for%s",
                        line, c->certain ? "" : ", as far as can be told");
    else
        swp_text_format(&w->text,
                        "; waves that diverge at the branch in line %d may run both at once%s",
                        line, c->certain ? "" : ", as far as can be told");
}

/* Atomics whose order may not matter, and writes that may write the same. */
static void add_order(writer *w)
{
    const swp_conflict *c = w->conflict;
    if (c->operand || c->order == SWP_ORDER_FREE)
        return;
    if (c->order == SWP_ORDER_MAY_MATTER)
        swp_text_format(&w->text, "; what they return tells which came first");
    else if (c->at_once)
        swp_text_format(&w->text, "; that is harmless only if all write the same value");
}

/* Whether which waves take the branch is known, so that it is the barriers behind it that are not counted. */
static bool lag_by_wave(const writer *w)
{
    const int block = swp_flow_block_of(w->fixpoint->flow, w->conflict->lag_unknown);
    return w->fixpoint->branches.items[block].sense == SWP_BRANCH_KNOWN;
}

static void add_unknown_lag(writer *w)
{
    const int line = insn_at(w, w->conflict->lag_unknown)->line;
    if (lag_by_wave(w))
        swp_text_format(&w->text,
                        "; on the two ways of the branch in line %d barriers stand in loops, whose "
                        "iterations are not held against each other, or not equally many on each "
                        "way",
                        line);
    else
        swp_text_format(&w->text, "; the branch in line %d may lead waves past different barriers",
                        line);
}

static void add_missing_link(writer *w)
{
    const swp_conflict *c = w->conflict;
    if (c->divergent_branch >= 0) {
        add_divergence(w);
    } else if (c->at_once) {
        swp_text_format(&w->text, "; nothing keeps waves that run it from doing so at once");
    } else if (c->counter >= 0) {
        add_wait(w);
    } else if (c->lag_unknown >= 0) {
        add_unknown_lag(w);
    } else {
        const char *plural = c->barriers_wanted == 1 ? "" : "s";
        swp_text_format(&w->text, "; that is retired, but %d of %d barrier%s follow%s",
                        c->access.barriers, c->barriers_wanted, plural,
                        c->barriers_wanted == 1 ? "s" : "");
    }
}

/* Whether an access is known to be where the target has no LDS: hardware drops it, or some bits of its address. */
static bool is_beyond(const writer *w, int event)
{
    const swp_footprint *footprint = &w->fixpoint->footprints[event];
    return !footprint->known &&
           footprint->whole.end > swp_flow_event_insn(&w->fixpoint->events, event)->lds.limit;
}

/* Of the two accesses, the event of the one beyond; -1: none is. */
static int beyond_of(const writer *w)
{
    const swp_conflict *c = w->conflict;
    if (c->operand || c->own < 0)
        return -1;
    return is_beyond(w, c->own) ? c->own : is_beyond(w, c->event) ? c->event : -1;
}

static void add_beyond(writer *w, int event)
{
    const swp_insn *insn = swp_flow_event_insn(&w->fixpoint->events, event);
    swp_text_format(&w->text, "; line %d accesses LDS up to byte %u, and the target has %u bytes",
                    insn->line, w->fixpoint->footprints[event].whole.end - 1, insn->lds.limit);
}

static void add_doubt(writer *w)
{
    const swp_conflict *c = w->conflict;
    if (c->iterations_matter)
        swp_text_format(&w->text, "; that is so only after some numbers of iterations of the loop");
    if (c->at_once && beyond_of(w) >= 0)
        add_beyond(w, beyond_of(w));
    if (c->certain || c->iterations_matter || c->operand || c->lag_unknown >= 0 ||
        c->divergent_branch >= 0 || c->at_once || c->order == SWP_ORDER_MAY_MATTER || c->own < 0)
        return;
    const bool other_known = w->fixpoint->footprints[c->event].known;
    const bool own_known = w->fixpoint->footprints[c->own].known;
    if (beyond_of(w) >= 0)
        add_beyond(w, beyond_of(w));
    else if (!other_known || !own_known)
        swp_text_format(&w->text, "; where line %d accesses LDS cannot be told, so it may be there",
                        insn_at(w, own_known ? c->other : c->at)->line);
    else if (c->counter < 0 && c->access.most_barriers >= c->barriers_wanted)
        swp_text_format(&w->text, ", on the path with the fewest: that of wave %d may have more",
                        c->waves[0]);
    else
        swp_text_format(&w->text, "; which lanes are on there cannot be told");
}

/* A path that takes both of two branches which exclude each other is none at all. */
static bool needs_witness(const swp_conflict *c)
{
    return c->certain && !c->shown && c->related[0] >= 0;
}

static void add_related_branches(writer *w)
{
    const swp_conflict *c = w->conflict;
    const int at = insn_at(w, c->related[0])->line;
    const int like = insn_at(w, c->related[1])->line;
    if (at == like)
        swp_text_format(&w->text,
                        "; the branch in line %d goes by what its loop does not change, or by "
                        "constants, and no run that was tried shows it: there may be no such way",
                        at);
    else
        swp_text_format(&w->text,
                        "; the branches in lines %d and %d go by the same, and no run that was "
                        "tried shows it: there may be no such way",
                        like, at);
}

static bool other_is_earlier_pass(const swp_conflict *c)
{
    return c->other >= c->at && c->divergent_branch < 0 && !c->at_once;
}

static void add_pass(writer *w)
{
    if (other_is_earlier_pass(w->conflict))
        swp_text_format(&w->text, " of the pass before");
}

static void add_register_detail(writer *w)
{
    const swp_conflict *c = w->conflict;
    char name[SWP_REG_NAME_SIZE];
    swp_text_format(&w->text, "%s is %s while ",
                    swp_code_reg_name(c->operand->first, c->operand->count, name),
                    c->written ? "overwritten" : "read");
    add_insn(w, c->other);
    add_pass(w);
    swp_text_format(&w->text, " may still be loading it");
}

static void add_lds_detail(writer *w)
{
    const swp_conflict *c = w->conflict;
    const bool one = c->waves[0] == c->waves[1];
    add_insn(w, c->at);
    if (!one)
        swp_text_format(&w->text, " of wave %d", c->waves[1]);
    swp_text_format(&w->text, " may come before ");
    add_insn(w, c->other);
    if (!one)
        swp_text_format(&w->text, " of wave %d", c->waves[0]);
    add_pass(w);
    swp_text_format(&w->text, one ? " is done, in one wave" : " is done");
}

static swp_status end_text(writer *w, const char **out)
{
    char *text = NULL;
    SWP_TRY(swp_text_end(&w->text, &text, NULL));
    *out = text;
    return SWP_OK;
}

static swp_status detail(writer *w, bool *certain, const char **out)
{
    w->text = (swp_text){.ctx = w->fixpoint->ctx};
    if (w->conflict->operand)
        add_register_detail(w);
    else
        add_lds_detail(w);
    add_missing_link(w);
    add_order(w);
    add_doubt(w);
    *certain = w->conflict->certain && !needs_witness(w->conflict);
    if (needs_witness(w->conflict))
        add_related_branches(w);
    return end_text(w, out);
}

static swp_status place(writer *w, const char **out)
{
    const swp_conflict *c = w->conflict;
    w->text = (swp_text){.ctx = w->fixpoint->ctx};
    if (c->operand) {
        char name[SWP_REG_NAME_SIZE];
        swp_text_format(&w->text, "%s",
                        swp_code_reg_name(c->operand->first, c->operand->count, name));
    } else {
        const swp_footprint *known = &w->fixpoint->footprints[c->own];
        if (!known->known)
            known = &w->fixpoint->footprints[c->event];
        if (known->known && known->whole.end > known->whole.first)
            swp_text_format(&w->text, "LDS bytes %u to %u", known->whole.first,
                            known->whole.end - 1);
        else
            swp_text_format(&w->text, "LDS");
    }
    return end_text(w, out);
}

static swp_status should_be(writer *w, const char **out)
{
    const swp_conflict *c = w->conflict;
    w->text = (swp_text){.ctx = w->fixpoint->ctx};
    if (c->counter >= 0) {
        const bool there = wait_is_there(w);
        const int after = there ? c->access.wait_after : c->access.after[c->counter];
        swp_text_format(&w->text, "s_waitcnt %s(%d)", swp_code_counter_name(c->counter),
                        count_wanted(c, after));
        if (there)
            swp_text_format(&w->text, " in line %d", insn_at(w, c->access.wait)->line);
        else
            swp_text_format(&w->text, " before line %d", insn_at(w, c->at)->line);
        if (c->waves[0] != c->waves[1])
            swp_text_format(&w->text, ", then s_barrier");
    } else if (c->lag_unknown < 0 && c->divergent_branch < 0 && !c->at_once) {
        swp_text_format(&w->text, "s_barrier before line %d", insn_at(w, c->at)->line);
    }
    return end_text(w, out);
}

static const char *hint(const writer *w)
{
    const swp_conflict *c = w->conflict;
    if (needs_witness(c))
        return "decide once, and keep what belongs to one way in one block; or wait on every path";
    if (c->iterations_matter)
        return "unroll the loop, so that an iteration is a whole round of its slots";
    if (c->at_once && beyond_of(w) < 0)
        return "let one wave do it, or each to a place of its own that follows from the thread's "
               "number";
    if (c->divergent_branch >= 0 && c->before_branch)
        return "wait for it before the branch, or on every path from there ahead of the next "
               "barrier";
    if (c->divergent_branch >= 0)
        return "let waves on divergent paths synchronise at a barrier between the two accesses, "
               "behind or before the branch";
    if (!c->certain && beyond_of(w) >= 0)
        return "use fewer or smaller slots: a launch that asks for more than the target has is "
               "refused";
    if (!c->certain && c->lag_unknown < 0)
        return "a place that follows from the thread's number and constants can be told; or order "
               "the two with a wait and a barrier";
    if (c->lag_unknown >= 0 && lag_by_wave(w))
        return "let the waves of all roles iterate one loop with its barriers, each role's part on "
               "a "
               "condition between them; or keep these barriers out of loops";
    if (c->lag_unknown >= 0)
        return "let every wave execute the same barriers, or decide the branch by the wave's "
               "number";
    if (c->operand)
        return "in C: read the value after an explicit wait, "
               "__builtin_amdgcn_s_waitcnt, or keep the load to LDS from between the two";
    if (c->waves[0] == c->waves[1])
        return "wait for the first access before the second is issued";
    return "another wave's accesses are done only after its wait and a barrier that both execute";
}

static swp_status site(const writer *w, int index, swp_audit_site *out)
{
    return swp_flow_set_site(w->fixpoint->ctx, insn_at(w, index), out);
}

swp_status swp_flow_conflict_describe(const swp_fixpoint *fixpoint, const swp_conflict *conflict,
                                      swp_audit_finding *out)
{
    writer w = {.fixpoint = fixpoint, .conflict = conflict};
    *out = (swp_audit_finding){
        .kind = conflict->kind, .earlier_pass = other_is_earlier_pass(conflict), .hint = hint(&w)};
    SWP_TRY(site(&w, conflict->at, &out->at));
    SWP_TRY(site(&w, conflict->other, &out->other));
    if (wait_is_there(&w))
        SWP_TRY(site(&w, conflict->access.wait, &out->wait));
    SWP_TRY(place(&w, &out->place));
    SWP_TRY(should_be(&w, &out->should_be));
    return detail(&w, &out->certain, &out->detail);
}
