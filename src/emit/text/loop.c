/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the ops of a pipeline, its values with their slots, and the lists of phases. */
#include "emit/text/loop.h"
#include "emit/text/loop_bound.h"

#include "ir/kept_pipeline.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/loop_resident.h"
#include "ir/sync_objects.h"
#include "pipeline/slot_choices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 4 };

/* The target counts the registers of one lane. */
static void add_registers(swp_text *text, const swp_pipeline *p)
{
    const swp_loop *loop = p->loop;
    const int64_t bytes = p->bytes[SWP_SPACE_REGISTERS];
    const int64_t registers = swp_ir_loop_registers(loop, bytes);
    if (loop->lanes == 0)
        return;
    swp_text_format(text, ", %" PRId64 " register%s a lane", registers, swp_plural(registers));
    if (loop->lane_registers > 0)
        swp_text_format(text, " of %d", loop->lane_registers);
}

static void add_objective(swp_text *text, const swp_pipeline *p, swp_objective objective)
{
    if (objective == SWP_LEAST_STAGES) {
        swp_text_format(text, "stages     %d", p->stages);
        return;
    }
    const swp_space space = objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
    swp_text_format(text, "%-10s %" PRId64 " bytes", swp_space_name(space), p->bytes[space]);
    if (space == SWP_SPACE_REGISTERS)
        add_registers(text, p);
    else if (p->loop->shared_budget > 0)
        swp_text_format(text, " of %" PRId64, p->loop->shared_budget);
}

/* Adds the registers of a thread for each role that states how many it has. */
static void add_registers_of_roles(swp_text *text, const swp_pipeline *p)
{
    for (int role = 0; role < (int)p->loop->role_count; role++) {
        const swp_loop_role *r = &p->loop->roles[role];
        const int64_t bytes = swp_pipeline_role_bytes(p->loop, p->slots, role);
        if (r->registers > 0)
            swp_text_format(text, "%-10s %" PRId64 " a thread of role %s, of %d\n", "",
                            swp_ir_loop_role_registers(p->loop, role, bytes), r->name,
                            r->registers);
    }
}

/* Where cycles come first, a search for room that came to no end still took the least room of those that it weighed. */
static void add_claim(swp_text *text, const swp_pipeline *p, swp_objective objective, bool is_first)
{
    if (p->proven[objective])
        swp_text_format(text, ": proven least%s\n", is_first ? "" : ", given the above");
    else if (p->loop->objectives_stated || objective == SWP_LEAST_STAGES)
        swp_text_format(text, ": not proven least\n");
    else
        swp_text_format(
            text, ": not proven least, but the least found at these cycles in a short pass\n");
}

void swp_emit_loop_objectives(swp_text *text, const swp_pipeline *p)
{
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = p->loop->objectives[i];
        add_objective(text, p, objective);
        add_claim(text, p, objective, i == 0);
        if (objective == SWP_LEAST_REGISTERS)
            add_registers_of_roles(text, p);
    }
}

void swp_emit_loop_roles(swp_text *text, const swp_loop *loop)
{
    for (int role = 0; loop->roles_found && role < (int)loop->role_count; role++) {
        int named = 0;
        swp_text_format(text, "%-10s %s:", role == 0 ? "roles" : "", loop->roles[role].name);
        for (size_t op = 0; op < loop->op_count; op++)
            if (loop->ops[op].role == role)
                swp_text_format(text, "%s %s", named++ > 0 ? "," : "", loop->ops[op].name);
        swp_text_format(text, named > 0 ? "\n" : " no op\n");
    }
}

void swp_emit_loop_resident(swp_text *text, const swp_pipeline *p)
{
    const int resident = swp_ir_loop_resident(p->loop);
    if (p->resident_fit == 0 && resident == 1)
        return;
    if (p->loop->least_resident == 0)
        swp_text_format(text, "resident   1 work group a multiprocessor is assumed");
    else
        swp_text_format(text, "resident   %d work group%s a multiprocessor", resident,
                        swp_plural(resident));
    if (p->resident_fit > 0)
        swp_text_format(text, ", %d would fit", p->resident_fit);
    swp_text_format(text, resident > 1 ? "; an op's units are held for all\n" : "\n");
}

static void add_search(swp_text *text, const swp_pipeline *p)
{
    swp_text_format(text, "search     %d problem%s, %" PRIu64 " steps\n", p->solved,
                    swp_plural(p->solved), p->work);
}

/* Adds when the instances of a role begin the same iteration, counted from the first one. */
static void add_shifts(swp_text *text, const swp_pipeline *p)
{
    const swp_loop *loop = p->loop;
    const int64_t *shift = p->shifts;
    for (int role = 0; role < (int)loop->role_count; role++) {
        const int instances = swp_ir_loop_role_instances(loop, role);
        if (instances > 1)
            swp_text_format(text, "instances  of %s at cycles 0", loop->roles[role].name);
        for (int i = 1; i < instances; i++)
            swp_text_format(text, ", %" PRId64, *shift++);
        if (instances > 1)
            swp_text_add(text, "\n", 1);
    }
}

static size_t longest_name(const swp_loop *loop)
{
    size_t longest = 5;
    for (size_t i = 0; i < loop->op_count; i++)
        longest = strlen(loop->ops[i].name) > longest ? strlen(loop->ops[i].name) : longest;
    for (size_t i = 0; i < loop->value_count; i++)
        longest = strlen(loop->values[i].name) > longest ? strlen(loop->values[i].name) : longest;
    return longest < 32 ? longest : 32;
}

static void add_uses(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    const char *between = "";
    for (size_t u = 0; u < op->use_count; u++) {
        if (op->uses[u].cycles == 0)
            continue;
        swp_text_format(text, "%s%s", between, loop->units[op->uses[u].resource].name);
        if (op->uses[u].amount > 1)
            swp_text_format(text, " x %" PRId64, op->uses[u].amount);
        swp_text_format(text, " for %" PRId64, op->uses[u].cycles);
        between = ", ";
    }
    if (op->issue > 0)
        swp_text_format(text, "%sissue for %" PRId64, between, op->issue);
}

static void add_condition(swp_text *text, const swp_loop_op *op)
{
    if (!swp_ir_loop_is_conditional(op))
        return;
    swp_text_format(text, "  when ");
    swp_ir_loop_put_condition(text, op);
}

typedef struct op_row {
    int64_t cycle; /* of the interval */
    size_t op;
} op_row;

static int compare_rows(const void *a, const void *b)
{
    const op_row *x = a;
    const op_row *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static void add_op(swp_text *text, const swp_pipeline *p, const op_row *row, int width)
{
    const swp_loop *loop = p->loop;
    const swp_loop_op *op = &loop->ops[row->op];
    swp_text_format(text, "%7" PRId64 "%7d  %-*s%9" PRId64 "  ", row->cycle, p->stage[row->op],
                    width, op->name, op->latency);
    if (loop->role_count > 0)
        swp_text_format(text, "%s  ", loop->roles[op->role].name);
    add_uses(text, loop, op);
    add_condition(text, op);
    swp_text_add(text, "\n", 1);
}

/* Adds the ops in the order of the kernel: by cycle of the interval. */
static void add_ops(swp_text *text, const swp_pipeline *p)
{
    const swp_loop *loop = p->loop;
    const int width = (int)longest_name(loop);
    op_row *rows = NULL;
    const swp_status status = SWP_TAKE(text->ctx, loop->op_count, &rows);
    if (status != SWP_OK) {
        text->status = status;
        return;
    }
    for (size_t i = 0; i < loop->op_count; i++)
        rows[i] = (op_row){p->answer.times[i] % p->answer.value, i};
    qsort(rows, loop->op_count, sizeof *rows, compare_rows);
    swp_text_format(text, "\n  cycle  stage  %-*s  latency  %s%s\n", width, "op",
                    loop->role_count > 0 ? "role  " : "", "units");
    for (size_t i = 0; i < loop->op_count; i++)
        add_op(text, p, &rows[i], width);
}

static void add_values(swp_text *text, const swp_loop *loop, const int *slots)
{
    const int width = (int)longest_name(loop);
    if (loop->value_count == 0)
        return;
    swp_text_format(text, "\n  %-*s  slots      bytes  space\n", width, "value");
    for (size_t v = 0; v < loop->value_count; v++)
        swp_text_format(text, "  %-*s%7d%11" PRId64 "  %s\n", width, loop->values[v].name, slots[v],
                        slots[v] * loop->values[v].bytes, swp_space_name(loop->values[v].space));
}

void swp_emit_loop_figures(swp_text *text, const swp_pipeline *p)
{
    swp_emit_loop_interval(text, p);
    swp_emit_loop_objectives(text, p);
    swp_emit_loop_resident(text, p);
    add_search(text, p);
    add_shifts(text, p);
    add_ops(text, p);
    add_values(text, p->loop, p->slots);
}

void swp_emit_read_loop_interval(swp_text *text, const swp_schedule *schedule)
{
    const struct swp_kept_pipeline *kept = schedule->kept_pipeline;
    if (kept && kept->interval > 0)
        swp_text_format(text,
                        "interval   %" PRId64 " cycle%s an iteration, says the file, which has no "
                        "proof of it\n           by dependences and units, without waits and "
                        "barriers\n",
                        kept->interval, swp_plural(kept->interval));
    else
        swp_text_format(text, "interval   not known: the file says none\n");
}

void swp_emit_read_loop_figures(swp_text *text, const swp_schedule *schedule)
{
    swp_emit_read_loop_interval(text, schedule);
    add_values(text, schedule->dataflow->loop, schedule->dataflow->slots);
}

/*
 * A counter has room for at most `at_once` ops at a time of those that make more than holds /
 * (at_once + 1) accesses.
 */
typedef struct counter_limit {
    swp_sync_object object;
    int holds;
    int at_once;
    int64_t cycles; /* that their latencies then take in an iteration, at least */
} counter_limit;

static bool is_limited(const swp_loop *loop, const swp_loop_op *op, const counter_limit *limit)
{
    return swp_ir_loop_object_of(loop, op) == limit->object &&
           op->accesses > limit->holds / (limit->at_once + 1);
}

/*
 * Returns the limit that takes longest, if that is longer than the interval; else that of ops which
 * are alone on the counter.
 */
static counter_limit limit_of(const swp_schedule *schedule, swp_sync_object object, int holds)
{
    const swp_loop *loop = schedule->dataflow->loop;
    counter_limit longest = {.object = object, .holds = holds, .at_once = 1};
    if (schedule->pipeline)
        longest.cycles = schedule->pipeline->answer.value;
    for (int at_once = 1; at_once <= holds && longest.cycles > 0; at_once++) {
        counter_limit limit = {.object = object, .holds = holds, .at_once = at_once};
        for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++)
            limit.cycles += is_limited(loop, op, &limit) ? op->latency : 0;
        limit.cycles = limit.cycles / at_once + (limit.cycles % at_once != 0);
        if (limit.cycles > longest.cycles)
            longest = limit;
    }
    return longest;
}

static void add_limited_ops(swp_text *text, const swp_loop *loop, const counter_limit *limit)
{
    int count = 0;
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++) {
        if (!is_limited(loop, op, limit))
            continue;
        if (count < MOST_NAMED)
            swp_text_format(text, "%s %s (%d)", count == 0 ? "" : ",", op->name, op->accesses);
        count++;
    }
    if (count > MOST_NAMED)
        swp_text_format(text, " and %d other%s", count - MOST_NAMED,
                        swp_plural(count - MOST_NAMED));
}

static bool limits_any(const swp_loop *loop, const counter_limit *limit)
{
    for (const swp_loop_op *op = loop->ops; op < loop->ops + loop->op_count; op++)
        if (is_limited(loop, op, limit))
            return true;
    return false;
}

void swp_emit_loop_counters(swp_text *text, const swp_schedule *schedule)
{
    const swp_loop *loop = schedule->dataflow->loop;
    for (swp_sync_object object = 0; object < SWP_SYNC_OBJECTS; object++) {
        const int holds = swp_ir_sync_largest(&schedule->machine, object);
        const counter_limit limit = limit_of(schedule, object, holds);
        if (holds == 0 || !limits_any(loop, &limit))
            continue;
        swp_text_format(text, "%s holds %d access%s: ", swp_ir_sync_object_name(object), holds,
                        holds == 1 ? "" : "es");
        if (limit.at_once == 1)
            swp_text_format(text, "one at a time of");
        else
            swp_text_format(text, "%d at a time of", limit.at_once);
        add_limited_ops(text, loop, &limit);
        if (schedule->pipeline && limit.cycles > schedule->pipeline->answer.value)
            swp_text_format(text, ", which takes at least %" PRId64 " cycles an iteration",
                            limit.cycles);
        swp_text_add(text, "\n", 1);
    }
}

static void add_operand(swp_text *text, const swp_loop_dataflow *d, const char *how, int value,
                        int iteration)
{
    swp_text_format(text, "%s%s", how, d->loop->values[value].name);
    if (d->slots[value] > 1)
        swp_text_format(text, "[%d]", swp_ir_loop_slot(d, value, iteration));
}

void swp_emit_loop_operands(swp_text *text, const swp_loop_dataflow *d, const swp_op *entry)
{
    const swp_loop_op *op = &d->loop->ops[swp_loop_op_of_tag(entry->tag)];
    const int iteration = entry->iteration;
    swp_text_format(text, "%c%+d", op->clock == SWP_TILE_CLOCK ? 't' : 'i', iteration);
    for (size_t i = 0; i < op->write_count; i++)
        add_operand(text, d, i == 0 ? "  " : ", ", op->writes[i], iteration);
    for (size_t i = 0; i < op->update_count; i++)
        add_operand(text, d, i + op->write_count == 0 ? "  " : ", ", op->updates[i], iteration);
    for (size_t i = 0; i < op->read_count; i++)
        add_operand(text, d, i == 0 ? "  <- " : ", ", op->reads[i].value,
                    iteration - op->reads[i].distance);
    add_condition(text, op);
}
