/* SPDX-License-Identifier: Apache-2.0 */
/* Compares ops, values and units of the same name in two loops, since they say what the entries do. */
#include "diff/dataflow.h"

#include "base/diag.h"
#include "base/text.h"
#include "ir/loop_condition.h"
#include "ir/loop_dataflow.h"

#include <inttypes.h>
#include <string.h>

typedef struct comparison {
    swp_context *ctx;
    const swp_loop *a;
    const swp_loop *b;
    swp_diff_setting_list *out;
} comparison;

/* An op, a value or a unit; `kind` is its word in the JSON. */
typedef struct subject {
    const char *kind;
    const char *name;
} subject;

static swp_status compare(const comparison *c, subject of, const char *key, const char *a,
                          const char *b)
{
    char *path = NULL;
    if (!strcmp(a, b))
        return SWP_OK;
    SWP_TRY(swp_format(c->ctx, &path, "dataflow.%s.%s.%s", of.kind, of.name, key));
    const swp_diff_setting setting = {.path = path, .a = a, .b = b};
    return SWP_PUSH(c->ctx, c->out, setting);
}

static swp_status compare_numbers(const comparison *c, subject of, const char *key, int64_t a,
                                  int64_t b)
{
    char *texts[2] = {NULL};
    SWP_TRY(swp_format(c->ctx, &texts[0], "%" PRId64, a));
    SWP_TRY(swp_format(c->ctx, &texts[1], "%" PRId64, b));
    return compare(c, of, key, texts[0], texts[1]);
}

/* --- operands and units of an op --- */

typedef void put_list(swp_text *text, const swp_loop *loop, const swp_loop_op *op);

static const char *comma(size_t i)
{
    return i > 0 ? ", " : "";
}

static void put_values(swp_text *text, const swp_loop *loop, const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        swp_text_format(text, "%s%s", comma(i), loop->values[values[i]].name);
}

/* Writes the latency that a dependence states itself, if it does. */
static void put_latency(swp_text *text, int64_t latency)
{
    if (latency > 0)
        swp_text_format(text, " after %" PRId64, latency);
}

static void put_writes(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    put_values(text, loop, op->writes, op->write_count);
}

static void put_updates(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->update_count; i++) {
        put_values(text, loop, &op->updates[i], 1);
        put_latency(text, swp_ir_loop_update_latency(op, op->updates[i]));
        swp_text_format(text, "%s", comma(i + 1 < op->update_count));
    }
}

static void put_reads(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->read_count; i++) {
        put_values(text, loop, &op->reads[i].value, 1);
        if (op->reads[i].distance > 0)
            swp_text_format(text, " %d before", op->reads[i].distance);
        put_latency(text, op->reads[i].latency);
        swp_text_format(text, "%s", comma(i + 1 < op->read_count));
    }
}

static void put_uses(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    for (size_t i = 0; i < op->use_count; i++)
        swp_text_format(text, "%s%" PRId64 " %s for %" PRId64, comma(i), op->uses[i].amount,
                        loop->units[op->uses[i].resource].name, op->uses[i].cycles);
}

static void put_when(swp_text *text, const swp_loop *loop, const swp_loop_op *op)
{
    (void)loop;
    swp_ir_loop_put_condition(text, op);
}

static swp_status compare_lists(const comparison *c, subject of, const char *key, put_list *put,
                                const swp_loop_op *a, const swp_loop_op *b)
{
    swp_text texts[2] = {{.ctx = c->ctx}, {.ctx = c->ctx}};
    char *lists[2] = {NULL};
    put(&texts[0], c->a, a);
    put(&texts[1], c->b, b);
    for (int side = 0; side < 2; side++)
        SWP_TRY(swp_text_end(&texts[side], &lists[side], NULL));
    return compare(c, of, key, lists[0], lists[1]);
}

static swp_status compare_op(const comparison *c, const swp_loop_op *a, const swp_loop_op *b)
{
    const subject of = {"ops", a->name};
    SWP_TRY(compare_numbers(c, of, "latency", a->latency, b->latency));
    SWP_TRY(compare(c, of, "completion", swp_completion_name(a->completion),
                    swp_completion_name(b->completion)));
    SWP_TRY(compare_numbers(c, of, "read_cycles", a->read_cycles, b->read_cycles));
    SWP_TRY(compare_numbers(c, of, "issue", a->issue, b->issue));
    SWP_TRY(compare_numbers(c, of, "accesses", a->accesses, b->accesses));
    SWP_TRY(compare(c, of, "clock", swp_role_clock_name(a->clock), swp_role_clock_name(b->clock)));
    SWP_TRY(compare_numbers(c, of, "multicast", a->multicast, b->multicast));
    SWP_TRY(compare_lists(c, of, "uses", put_uses, a, b));
    SWP_TRY(compare_lists(c, of, "reads", put_reads, a, b));
    SWP_TRY(compare_lists(c, of, "writes", put_writes, a, b));
    SWP_TRY(compare_lists(c, of, "updates", put_updates, a, b));
    return compare_lists(c, of, "when", put_when, a, b);
}

/* --- all of them --- */

/* The order of ops and values has a meaning, too, so the first that has another name gets a row. */
static swp_status compare_order(const comparison *c)
{
    static const char none[] = "none";
    size_t at = 0;
    while (at < c->a->op_count && at < c->b->op_count &&
           !strcmp(c->a->ops[at].name, c->b->ops[at].name))
        at++;
    char *number = NULL;
    SWP_TRY(swp_format(c->ctx, &number, "%zu", at));
    return compare(c, (subject){"ops", number}, "op",
                   at < c->a->op_count ? c->a->ops[at].name : none,
                   at < c->b->op_count ? c->b->ops[at].name : none);
}

static swp_status compare_ops(const comparison *c)
{
    SWP_TRY(compare_order(c));
    for (size_t i = 0; i < c->a->op_count; i++)
        for (size_t j = 0; j < c->b->op_count; j++)
            if (!strcmp(c->a->ops[i].name, c->b->ops[j].name))
                SWP_TRY(compare_op(c, &c->a->ops[i], &c->b->ops[j]));
    return SWP_OK;
}

static swp_status compare_values(const comparison *c, const int *a_slots, const int *b_slots)
{
    for (size_t i = 0; i < c->a->value_count; i++)
        for (size_t j = 0; j < c->b->value_count; j++) {
            const swp_loop_value *a = &c->a->values[i];
            const swp_loop_value *b = &c->b->values[j];
            const subject of = {"values", a->name};
            if (strcmp(a->name, b->name) != 0)
                continue;
            SWP_TRY(compare(c, of, "space", swp_space_name(a->space), swp_space_name(b->space)));
            SWP_TRY(compare_numbers(c, of, "slots", a_slots[i], b_slots[j]));
        }
    return SWP_OK;
}

static swp_status compare_units(const comparison *c)
{
    for (size_t i = 0; i < c->a->unit_count; i++)
        for (size_t j = 0; j < c->b->unit_count; j++)
            if (!strcmp(c->a->units[i].name, c->b->units[j].name))
                SWP_TRY(compare_numbers(c, (subject){"units", c->a->units[i].name}, "capacity",
                                        c->a->units[i].capacity, c->b->units[j].capacity));
    return SWP_OK;
}

swp_status swp_diff_compare_dataflows(swp_context *ctx, const swp_loop_dataflow *a,
                                      const swp_loop_dataflow *b, swp_diff_setting_list *out)
{
    const comparison c = {.ctx = ctx, .a = a ? a->loop : NULL, .b = b ? b->loop : NULL, .out = out};
    if (!a != !b) {
        const swp_diff_setting setting = {
            .path = "dataflow", .a = a ? "a loop's" : "none", .b = b ? "a loop's" : "none"};
        return SWP_PUSH(ctx, out, setting);
    }
    if (!a || a == b)
        return SWP_OK;
    SWP_TRY(compare_ops(&c));
    SWP_TRY(compare_values(&c, a->slots, b->slots));
    return compare_units(&c);
}
