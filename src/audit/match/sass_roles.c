/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code of sm_90 against a schedule with warp roles, function by function. */
#include "audit/match/sass_roles.h"

#include "audit/flow/findings.h"
#include "base/diag.h"

typedef struct role_comparer {
    swp_context *ctx;
    const char *file;
    const swp_machine_code *code;
    const swp_schedule *schedule;
    swp_audit_report *out;
} role_comparer;

static bool has_event(swp_sass_event_kind kind, const swp_insn *insn)
{
    swp_sass_event events[SWP_MOST_SASS_EVENTS];
    return swp_sass_events_of(insn, events) > 0 && events[0].kind == kind;
}

/* What no function has by accident. */
static bool is_of_roles(const swp_insn *insn)
{
    return has_event(SWP_SASS_EVENT_COPY, insn) || has_event(SWP_SASS_EVENT_WAIT, insn) ||
           has_event(SWP_SASS_EVENT_MMA, insn);
}

static swp_audit_loop count_events(const swp_flow *flow, int loop, swp_audit_loop counted)
{
    counted.loads_to_lds = counted.matrix = counted.waits = counted.barriers = 0;
    for (int b = 0; b < flow->block_count; b++)
        for (int i = flow->blocks[b].first;
             swp_flow_in_loop(flow, loop, b) && i < flow->blocks[b].end; i++) {
            const swp_insn *insn = &flow->code->insns.items[i];
            counted.loads_to_lds += has_event(SWP_SASS_EVENT_COPY, insn);
            counted.matrix += has_event(SWP_SASS_EVENT_MMA, insn);
            counted.waits += has_event(SWP_SASS_EVENT_WAIT, insn) ||
                             has_event(SWP_SASS_EVENT_MATRIX_WAIT, insn) ||
                             has_event(SWP_SASS_EVENT_BULK_WAIT, insn);
            counted.barriers += has_event(SWP_SASS_EVENT_SYNC, insn);
        }
    return counted;
}

/* Not those that only wait, or do what no schedule is about. */
static swp_status add_loops(const role_comparer *c, const swp_flow *flow)
{
    swp_audit_loop_list *loops = &c->out->loops;
    for (int l = 0; l < flow->loop_count; l++) {
        SWP_TRY(swp_flow_add_loop(c->ctx, flow, l, 1, c->out));
        swp_audit_loop *loop = &loops->items[loops->count - 1];
        *loop = count_events(flow, l, *loop);
        if (!loop->loads_to_lds && !loop->matrix)
            loops->count--;
    }
    return SWP_OK;
}

/* Stronger waits are no fault, but they cost time. */
static swp_status add_stronger(const role_comparer *c, const swp_role_mismatch *first)
{
    swp_audit_change change = {.kind = SWP_AUDIT_REWAITED,
                               .phase = SWP_KERNEL,
                               .entry = -1,
                               .name = "",
                               .detail =
                                   "waits for more than the schedule asks for, or is one more"};
    SWP_TRY(swp_flow_set_site(c->ctx, first->at, &change.at));
    return SWP_PUSH(c->ctx, &c->out->changes, change);
}

/* The schedule's automaton, with ops of as many instructions as this function has for them. */
static swp_status read_language(const role_comparer *c, const swp_flow *flow,
                                swp_role_language *out)
{
    int *sizes = NULL;
    swp_role_mismatch ignored;
    SWP_TRY(SWP_TAKE(c->ctx, SWP_SCHEDULE_TAGS, &sizes));
    SWP_TRY(swp_match_role_language(c->ctx, c->schedule, sizes, out));
    SWP_TRY(swp_match_role_paths(c->ctx, flow, out, SWP_ELECTED_PATHS_MORE, sizes, &ignored));
    return swp_match_role_language(c->ctx, c->schedule, sizes, out);
}

static swp_status compare_function(const role_comparer *c, const swp_function *function)
{
    swp_flow flow;
    swp_role_language language;
    swp_role_mismatch exact;
    swp_role_mismatch found;
    SWP_TRY(swp_flow_build(c->ctx, c->file, c->code, function, &flow));
    SWP_TRY(add_loops(c, &flow));
    SWP_TRY(read_language(c, &flow, &language));
    SWP_TRY(swp_match_role_paths(c->ctx, &flow, &language, SWP_ELECTED_PATHS, NULL, &exact));
    found = exact;
    if (exact.why)
        SWP_TRY(
            swp_match_role_paths(c->ctx, &flow, &language, SWP_ELECTED_PATHS_MORE, NULL, &found));
    if (exact.why && !found.why)
        SWP_TRY(add_stronger(c, &exact));
    if (!found.why)
        SWP_TRY(swp_match_role_paths(c->ctx, &flow, &language, SWP_ALL_PATHS, NULL, &found));
    if (found.why)
        return swp_flow_add_note(c->ctx, found.at, found.why, &c->out->obstacles);
    return SWP_OK;
}

static bool is_compared(const role_comparer *c, const swp_function *function)
{
    for (int i = function->first; i < function->end; i++)
        if (is_of_roles(&c->code->insns.items[i]))
            return true;
    return false;
}

swp_status swp_match_sass_roles(swp_context *ctx, const char *file, const swp_machine_code *code,
                                const swp_schedule *schedule, swp_audit_report *out)
{
    role_comparer c = {.ctx = ctx, .file = file, .code = code, .schedule = schedule, .out = out};
    bool any = false;
    SWP_TRY(swp_code_copy_printable_name(ctx, schedule->name, &out->schedule));
    for (size_t i = 0; i < code->functions.count; i++) {
        const swp_function *function = &code->functions.items[i];
        if (!is_compared(&c, function))
            continue;
        any = true;
        out->instructions += function->end - function->first;
        SWP_TRY(compare_function(&c, function));
    }
    if (!any)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel that carries out the schedule",
                         "no function of this file copies, waits for mbarriers or multiplies "
                         "matrices as warp roles do");
    out->answer = out->obstacles.count ? SWP_AUDIT_UNKNOWN : SWP_AUDIT_KEPT;
    return SWP_OK;
}
