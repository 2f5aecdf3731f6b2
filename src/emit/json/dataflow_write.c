/* SPDX-License-Identifier: Apache-2.0 */
/* The `dataflow` of a schedule as JSON: units, values and ops with their reads and writes. */
#include "emit/json/dataflow.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_rates.h"
#include "json/put.h"

static json_t *unit_value(const void *of, size_t index)
{
    const swp_loop *loop = of;
    const swp_problem_resource *unit = &loop->units[index];
    if (swp_ir_loop_is_rate(loop, (int)index))
        return json_pack("{ss sI sb}", "unit", unit->name, "capacity", (json_int_t)unit->capacity,
                         "rate", 1);
    return json_pack("{ss sI}", "unit", unit->name, "capacity", (json_int_t)unit->capacity);
}

static json_t *value_value(const void *of, size_t index)
{
    const swp_loop_dataflow *d = of;
    const swp_loop_value *v = &d->loop->values[index];
    return json_pack("{ss ss sI si}", "value", v->name, "space", swp_space_name(v->space), "bytes",
                     (json_int_t)v->bytes, "slots", d->slots[index]);
}

/* An op, and the loop whose tables its numbers are of. */
typedef struct op_view {
    const swp_loop *loop;
    const swp_loop_op *op;
    const int *values;
} op_view;

static json_t *use_value(const void *of, size_t index)
{
    const op_view *view = of;
    const swp_problem_use *use = &view->op->uses[index];
    return json_pack("{ss sI sI}", "unit", view->loop->units[use->resource].name, "amount",
                     (json_int_t)use->amount, "cycles", (json_int_t)use->cycles);
}

static json_t *read_value(const void *of, size_t index)
{
    const op_view *view = of;
    const swp_loop_read *read = &view->op->reads[index];
    json_t *out = json_pack("{ss si}", "value", view->loop->values[read->value].name, "before",
                            read->distance);
    if (read->latency > 0)
        (void)json_object_set_new(out, "latency", json_integer((json_int_t)read->latency));
    return out;
}

static json_t *made_value(const void *of, size_t index)
{
    const op_view *view = of;
    return json_string(view->loop->values[view->values[index]].name);
}

/* A name, unless there is more to say. */
static json_t *update_value(const void *of, size_t index)
{
    const op_view *view = of;
    const int value = view->op->updates[index];
    const int64_t latency = swp_ir_loop_update_latency(view->op, value);
    const char *name = view->loop->values[value].name;
    return latency == 0 ? json_string(name)
                        : json_pack("{ss sI}", "value", name, "latency", (json_int_t)latency);
}

static json_t *when_value(const swp_loop_when *when)
{
    return when->kind == SWP_WHEN_EVERY
               ? json_pack("{si si}", "every", when->every, "offset", when->offset)
               : json_string(swp_when_name(when->kind));
}

/* Members only of ops that say so, as files have it that know nothing of it. */
static json_t *add_rare(json_t *object, const swp_loop_op *op)
{
    int failed = object == NULL;
    if (!failed && op->issue > 0)
        failed = json_object_set_new(object, "issue", json_integer((json_int_t)op->issue));
    if (!failed && op->reads_global)
        failed = json_object_set_new(object, "reads_global", json_true());
    if (!failed && op->writes_global)
        failed = json_object_set_new(object, "writes_global", json_true());
    if (!failed && op->when.kind != SWP_WHEN_ALWAYS)
        failed = json_object_set_new(object, "when", when_value(&op->when));
    if (!failed && op->clock != SWP_PASS_CLOCK)
        failed = json_object_set_new(object, "clock", json_string(swp_role_clock_name(op->clock)));
    if (!failed && op->multicast)
        failed = json_object_set_new(object, "multicast", json_true());
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *op_value(const void *of, size_t index)
{
    const swp_loop *loop = of;
    const swp_loop_op *op = &loop->ops[index];
    const op_view view = {loop, op, NULL};
    const op_view writes = {loop, op, op->writes};
    json_t *packed =
        json_pack("{ss sI ss sI si so so so so}", "op", op->name, "latency",
                  (json_int_t)op->latency, "completion", swp_completion_name(op->completion),
                  "read_cycles", (json_int_t)op->read_cycles, "accesses", op->accesses, "uses",
                  swp_json_list(op->use_count, use_value, &view), "reads",
                  swp_json_list(op->read_count, read_value, &view), "writes",
                  swp_json_list(op->write_count, made_value, &writes), "updates",
                  swp_json_list(op->update_count, update_value, &view));
    return add_rare(packed, op);
}

json_t *swp_json_dataflow(const swp_loop_dataflow *d, bool has_roles)
{
    const swp_loop *loop = d->loop;
    json_t *object =
        json_pack("{so so so}", "units", swp_json_list(loop->unit_count, unit_value, loop),
                  "values", swp_json_list(loop->value_count, value_value, d), "ops",
                  swp_json_list(loop->op_count, op_value, loop));
    int failed = object == NULL;
    if (!failed && has_roles && loop->signal > 0)
        failed = json_object_set_new(object, "signal", json_integer((json_int_t)loop->signal));
    if (!failed && loop->resident > 1)
        failed = json_object_set_new(object, "resident_work_groups", json_integer(loop->resident));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}
