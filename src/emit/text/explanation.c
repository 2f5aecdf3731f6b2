/* SPDX-License-Identifier: Apache-2.0 */
/* Explains waits, barriers and the order, for people. */
#include "swp/explain.h"
#include "swp/simulate.h"

#include "base/require.h"
#include "base/text.h"
#include "emit/text/loop.h"
#include "emit/text/loop_bound.h"
#include "emit/text/row.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OP_COLUMNS = 40, LEAST_LIST_WIDTH = 8, FULL_NAME_SIZE = 128 };

/* Writes the name of a list: "consumer kernel" with warp roles, else "kernel". */
static void name_list(const swp_schedule *schedule, int stream, int form, swp_phase phase,
                      char out[FULL_NAME_SIZE])
{
    char name[SWP_LIST_NAME_SIZE];
    const char *role = swp_ir_role_name(schedule, stream);
    (void)snprintf(out, FULL_NAME_SIZE, "%s%s%s", role ? role : "", role ? " " : "",
                   swp_ir_list_name(schedule, form, phase, name));
}

/* Returns the width of the names of those lists that have something to explain. */
static int list_width(const swp_schedule *schedule, const swp_explanation_list *explanations)
{
    char name[FULL_NAME_SIZE];
    size_t width = LEAST_LIST_WIDTH;
    for (size_t i = 0; i < explanations->count; i++) {
        const swp_explanation *e = &explanations->items[i];
        name_list(schedule, e->stream, e->form, e->at.phase, name);
        const size_t own = swp_emit_row_width(name);
        width = own > width ? own : width;
    }
    return (int)width;
}

static void add_sync(swp_text *text, const swp_schedule *schedule, const swp_explanation *e,
                     int width)
{
    const swp_entry *entry =
        swp_ir_entry_of(schedule, e->stream, e->form, e->at.phase, e->at.entry);
    const swp_op *op = &entry->op;
    char name[FULL_NAME_SIZE];
    name_list(schedule, e->stream, e->form, e->at.phase, name);
    swp_text_format(text, "%-*s %3d  ", width, name, e->at.entry);
    const char *op_name = swp_schedule_op_name(schedule, op->tag);
    if (swp_ir_is_wait(op)) {
        swp_text_format(text, "%s %scnt <= %d", op_name,
                        swp_ir_wait_kind(op) == SWP_WAIT_FOR_VM ? "vm" : "lgkm", op->wait_value);
    } else if (swp_ir_is_barrier(op)) {
        swp_text_format(text, "%s", op_name);
    } else {
        const swp_row_style style = swp_emit_row_style_of(schedule);
        swp_emit_row_add_op(text, &style, entry, op_name);
    }
}

/* Writes an entry of a run of N tiles, with its iteration if it is an op of a loop. */
static void add_entry(swp_text *text, const swp_schedule *schedule, int n, int stream,
                      swp_entry_ref at)
{
    char name[FULL_NAME_SIZE];
    const int form = swp_ir_form_at(schedule, at.phase, n);
    const swp_entry *entry = swp_ir_entry_of(schedule, stream, form, at.phase, at.entry);
    name_list(schedule, stream, form, at.phase, name);
    swp_text_format(text, "%s %d", name, at.entry);
    if (!entry)
        return;
    swp_text_format(text, " (%s", swp_schedule_op_name(schedule, entry->op.tag));
    if (swp_ir_loop_op(schedule, &entry->op))
        swp_text_format(text, " i%+d", entry->op.iteration);
    swp_text_add(text, ")", 1);
}

/* From one phase to the next there is one pass, since passes are counted so; that need not be said. */
static void add_distance(swp_text *text, const swp_hazard *need)
{
    const bool is_implied = need->passes_before == 1 && need->other.phase != need->at.phase;
    if (need->passes_before > 0 && !is_implied)
        swp_text_format(text, ", %d pass%s later", need->passes_before,
                        need->passes_before == 1 ? "" : "es");
}

static void add_need(swp_text *text, const swp_schedule *schedule, const swp_hazard *need)
{
    swp_text_format(text, "      %-18s ", swp_hazard_name(need->kind));
    if (need->value)
        swp_text_format(text, "%s[%d]: ", need->value, need->slot);
    if (need->has_other) {
        add_entry(text, schedule, need->smallest_n, need->other_stream, need->other);
        swp_text_format(text, ", then ");
    }
    add_entry(text, schedule, need->smallest_n, need->stream, need->at);
    if (need->has_other)
        add_distance(text, need);
    else if (need->role)
        swp_text_format(text, ": %s", need->detail);
}

/* Writes whom it meets at its object. */
static void add_partner(swp_text *text, const swp_schedule *schedule, const swp_partner *partner)
{
    const int passes = abs(partner->passes_later);
    swp_text_format(text, "      %-18s ", "goes with");
    add_entry(text, schedule, 0, partner->stream, (swp_entry_ref){SWP_KERNEL, partner->entry});
    if (passes > 0)
        swp_text_format(text, ", %d pass%s %s", passes, passes == 1 ? "" : "es",
                        partner->passes_later > 0 ? "later" : "before");
    swp_text_format(text, "\n");
}

/* One cause breaks a rule about roles at many entries, so these are taken together. */
static bool is_like(const swp_hazard *one, const swp_hazard *other)
{
    return one->role && other->role && one->kind == other->kind && one->value == other->value;
}

/* Writes dependences that are alike once, with their number. */
static void add_needs(swp_text *text, const swp_schedule *schedule, const swp_hazard_list *needs)
{
    for (size_t n = 0; n < needs->count; n++) {
        size_t before = 0;
        size_t after = 0;
        for (size_t k = 0; k < needs->count; k++)
            if (is_like(&needs->items[k], &needs->items[n]))
                *(k < n ? &before : &after) += k != n;
        if (before > 0)
            continue;
        add_need(text, schedule, &needs->items[n]);
        if (after > 0)
            swp_text_format(text, "; and %zu more", after);
        swp_text_add(text, "\n", 1);
    }
}

/* Writes how much a wait could leave, if that is more than it does. */
static void add_slack(swp_text *text, const swp_schedule *schedule, const swp_explanation *e)
{
    const swp_entry *entry =
        swp_ir_entry_of(schedule, e->stream, e->form, e->at.phase, e->at.entry);
    if (e->may_leave > entry->op.wait_value)
        swp_text_format(text, ": %d would do", e->may_leave);
}

/* An entry that was not examined gets only the partners that it meets: its purpose is not known. */
static void add_explanation(swp_text *text, const swp_schedule *schedule, const swp_explanation *e,
                            int width)
{
    if (e->left_out && e->partners.count == 0)
        return;
    add_sync(text, schedule, e, width);
    swp_text_format(text, "%s",
                    e->left_out || e->needs.count > 0 ? "" : ": no dependence needs it");
    add_slack(text, schedule, e);
    swp_text_format(text, "\n");
    for (size_t n = 0; n < e->partners.count; n++)
        add_partner(text, schedule, &e->partners.items[n]);
    add_needs(text, schedule, &e->needs);
}

/* With warp roles the kernels of all roles come first, then what stands around them. */
static void add_each(swp_text *text, const swp_schedule *schedule,
                     const swp_explanation_list *explanations)
{
    const int width = list_width(schedule, explanations);
    const int parts = swp_ir_role_name(schedule, 0) ? 2 : 1;
    for (int part = 0; part < parts; part++)
        for (size_t i = 0; i < explanations->count; i++)
            if (parts == 1 || (explanations->items[i].at.phase == SWP_KERNEL) == (part == 0))
                add_explanation(text, schedule, &explanations->items[i], width);
}

static void add_explanations(swp_text *text, const swp_schedule *schedule,
                             const swp_explanation_list *explanations)
{
    size_t unneeded = 0;
    for (size_t i = 0; i < explanations->count; i++)
        unneeded += explanations->items[i].needs.count == 0 && !explanations->items[i].left_out;
    add_each(text, schedule, explanations);
    swp_text_format(text, "%s: %zu %s, %zu of them unneeded while the others stand",
                    swp_schedule_title(schedule), explanations->count,
                    swp_ir_role_name(schedule, 0) ? "entries of synchronisation"
                                                  : "waits and barriers",
                    unneeded);
    if (explanations->left_out > 0)
        swp_text_format(text, ", and %zu not looked for, of which it says at most whom they meet",
                        explanations->left_out);
    swp_text_format(text, "\n");
    if (explanations->hazards > 0)
        swp_text_format(
            text,
            "It has %zu hazard%s as it stands (`swp verify`), which count for no wait or "
            "barrier here.\n",
            explanations->hazards, explanations->hazards == 1 ? "" : "s");
}

static void add_name(swp_text *text, const swp_schedule *schedule, int position)
{
    const swp_op *op = &schedule->body.items[schedule->order.items[position]];
    swp_text_format(text, "%d (%s)", position, swp_schedule_op_name(schedule, op->tag));
}

/*
 * The edge says behind which op it stands. The constraint says what its start waits for, and so
 * what another place would change.
 */
static void add_reason(swp_text *text, const swp_schedule *schedule, const swp_order_reason *reason)
{
    const swp_op *op = &schedule->body.items[reason->op];
    if (reason->after < 0) {
        swp_text_format(text, "no edge");
    } else {
        swp_text_format(text, "%s from ", swp_dep_kind_name(reason->kind));
        add_name(text, schedule, reason->after);
    }
    if (reason->constraint == SWP_BOUND_BY_UNIT) {
        swp_text_format(text, "; %s busy with ", swp_resource_name(op->resource));
        add_name(text, schedule, reason->binding_op);
    } else if (reason->constraint == SWP_BOUND_BY_EDGE && reason->binding_op != reason->after) {
        swp_text_format(text, "; waits for ");
        add_name(text, schedule, reason->binding_op);
    }
    if (reason->late >= 0) {
        swp_text_format(text, "; stands before ");
        add_name(text, schedule, reason->late);
        swp_text_format(text, ", which an edge puts first");
    }
    swp_text_format(text, "\n");
}

static void add_loop_reason(swp_text *text, const swp_pipeline *p, const swp_order_reason_list *all,
                            const swp_order_reason *reason)
{
    const char *binding_op =
        reason->binding_op < 0 ? "" : p->loop->ops[all->items[reason->binding_op].op].name;
    if (reason->constraint == SWP_BOUND_BY_UNIT) {
        swp_text_format(text, "%s busy with %s", p->problem.problem.resources[reason->unit].name,
                        binding_op);
    } else if (reason->constraint == SWP_BOUND_BY_EDGE) {
        const swp_problem_edge *e = &p->problem.problem.edges[reason->edge];
        const swp_loop_edge *meaning = &p->problem.edges[reason->edge];
        swp_text_format(text, "%s %s %" PRId64 " cycle%s after %s",
                        swp_loop_edge_name(meaning->kind), p->loop->values[meaning->value].name,
                        e->delay, e->delay == 1 ? "" : "s", binding_op);
        if (e->distance > 0)
            swp_text_format(text, " of %" PRId64 " iteration%s before", e->distance,
                            e->distance == 1 ? "" : "s");
    } else {
        swp_text_format(text, p->answer.times[reason->op] == 0 ? "begins the iteration"
                                                               : "nothing: it could be sooner");
    }
    swp_text_format(text, "\n");
}

static void add_loop_order(swp_text *text, const swp_schedule *schedule,
                           const swp_order_reason_list *order)
{
    const swp_pipeline *p = schedule->pipeline;
    const int width = (int)swp_emit_row_style_of(schedule).name_width;
    swp_text_format(text, "\n");
    swp_emit_loop_interval(text, p);
    swp_emit_loop_counters(text, schedule);
    swp_text_format(text, "\norder of an iteration: what lets each op be issued no cycle sooner\n"
                          "  cycle  stage  op\n");
    for (size_t i = 0; i < order->count; i++) {
        const swp_order_reason *reason = &order->items[i];
        const char *name = p->loop->ops[reason->op].name;
        const int gap = width - (int)swp_emit_row_width(name);
        swp_text_format(text, "%7" PRId64 "%7d  %s%*s  ", reason->start, p->stage[reason->op], name,
                        gap > 0 ? gap : 0, "");
        add_loop_reason(text, p, order, reason);
    }
}

/* Writes when a group issues the ops of its kernel. */
static void add_issues(swp_text *text, const swp_schedule *schedule, const swp_group_load *group)
{
    const swp_entry_list *kernel = &schedule->streams[group->stream].kernel;
    if (group->role)
        swp_text_format(text, "         %s %d\n", group->role, group->instance);
    for (size_t i = 0; i < kernel->count; i++) {
        const swp_op *op = &kernel->items[i].op;
        if (!swp_infrastructure_name(op->tag) && group->issues[i] != SWP_NOT_ISSUED)
            swp_text_format(text, "%7" PRId64 "  %s i%+d\n", group->issues[i],
                            swp_schedule_op_name(schedule, op->tag), op->iteration);
    }
}

/* A schedule that was read has no order of an iteration, so its simulation is shown. */
static swp_status add_simulated(swp_text *text, const swp_schedule *schedule)
{
    const int tiles = schedule->loop.tiles_per_pass;
    swp_context *scratch = swp_context_within(text->ctx);
    swp_simulation m;
    if (!scratch)
        return swp_out_of_memory(text->ctx);
    swp_status status = swp_simulate(scratch, schedule, NULL, &m);
    if (status == SWP_OK && m.groups[0].issues) {
        swp_text_format(text, "\nkernel, as simulated: %.2f cycles an iteration\n  cycle  op\n",
                        (double)m.cycles / m.passes / tiles);
        for (size_t i = 0; i < m.group_count && (i == 0 || m.groups[i].role); i++)
            add_issues(text, schedule, &m.groups[i]);
    }
    swp_context_free(scratch);
    return swp_ends_work(status) ? swp_pass_on(text->ctx, status) : SWP_OK;
}

static void add_order(swp_text *text, const swp_schedule *schedule,
                      const swp_order_reason_list *order)
{
    const swp_row_style style = swp_emit_row_style_of(schedule);
    if (order->unexplained)
        swp_text_format(text, "\norder: not explained: %s\n", order->unexplained);
    if (order->count == 0)
        return;
    swp_text_format(text,
                    "\norder of the body: the last op that each one has to follow, and what its "
                    "start waits for\n%5s%7s  op\n",
                    "", "start");
    for (size_t i = 0; i < order->count; i++) {
        const swp_order_reason *reason = &order->items[i];
        if (schedule->config.num_partitions == 2 && i == order->count / 2)
            swp_text_format(text, "%14shalf 1, whose ops follow those of half 0\n", "");
        const swp_entry entry = {.op = schedule->body.items[reason->op]};
        swp_text_format(text, "%5zu%7" PRId64 "  ", i, reason->start);
        const size_t begin = text->count;
        swp_emit_row_add_op(text, &style, &entry, swp_schedule_op_name(schedule, entry.op.tag));
        const size_t used = text->count - begin;
        swp_text_format(text, "%*s", used < OP_COLUMNS ? (int)(OP_COLUMNS - used) : 2, "");
        add_reason(text, schedule, reason);
    }
}

swp_status swp_explanation_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_explanation_list *explanations,
                                const swp_order_reason_list *order, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && explanations && order && text);
    swp_text out = {.ctx = ctx};
    add_explanations(&out, schedule, explanations);
    if (schedule->pipeline && order->count > 0)
        add_loop_order(&out, schedule, order);
    else
        add_order(&out, schedule, order);
    if (schedule->dataflow && !schedule->pipeline)
        SWP_TRY(add_simulated(&out, schedule));
    return swp_text_end(&out, text, length);
}
