/* SPDX-License-Identifier: Apache-2.0 */
/* Writes interval, bound, objectives, ops and values of a pipeline. */
#include "emit/json/loop.h"

#include "ir/loop_dataflow.h"
#include "ir/loop_instances.h"
#include "ir/loop_registers.h"
#include "ir/loop_resident.h"
#include "pipeline/slot_choices.h"
#include "problem/load.h"
#include "json/put.h"

json_t *swp_json_dependence(const swp_pipeline *p, const swp_loop_problem *of, int edge)
{
    const swp_problem *problem = &of->problem;
    const swp_problem_edge *e = &problem->edges[edge];
    const swp_loop_edge *meaning = &of->edges[edge];
    const char *value = meaning->value < 0 ? "" : p->loop->values[meaning->value].name;
    return json_pack("{ss ss ss ss sI sI}", "producer", problem->ops[e->producer].name, "consumer",
                     problem->ops[e->consumer].name, "why", swp_loop_edge_name(meaning->kind),
                     "value", value, "delay", (json_int_t)e->delay, "distance",
                     (json_int_t)e->distance);
}

static json_t *cycle_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    return swp_json_dependence(p, &p->bound_problem, p->bound_answer.bound_edges[index]);
}

static json_t *core_edge_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    return swp_json_dependence(p, &p->bound_problem, p->bound_core.edges[index]);
}

static json_t *core_use_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const swp_loop_use *at = &p->bound_core.uses[index];
    const swp_problem_op *op = &p->bound_problem.problem.ops[at->op];
    const swp_problem_use *use = &op->uses[at->use];
    return json_pack("{ss ss sI sI}", "op", op->name, "unit",
                     p->bound_problem.problem.resources[use->resource].name, "amount",
                     (json_int_t)use->amount, "cycles", (json_int_t)use->cycles);
}

static json_t *core_slots_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const int value = p->bound_core.values[index];
    return json_pack("{ss si}", "value", p->loop->values[value].name, "slots",
                     p->bound_slots[value]);
}

static json_t *core_value(const swp_pipeline *p)
{
    const swp_loop_core *core = &p->bound_core;
    return json_pack("{so so so sb}", "uses", swp_json_list(core->use_count, core_use_value, p),
                     "slots", swp_json_list(core->value_count, core_slots_value, p), "dependences",
                     swp_json_list(core->edge_count, core_edge_value, p), "minimal", core->minimal);
}

static json_t *weight_value(const void *of, size_t index)
{
    const swp_amount_weights *weights = of;
    return json_pack("{sI sI}", "amount", (json_int_t)weights->items[index].amount, "weight",
                     (json_int_t)weights->items[index].weight);
}

/* The names of the ops that hold the unit of a bound, and count in it. */
static json_t *holders_value(const swp_problem *problem, const swp_answer *bound)
{
    json_t *names = json_array();
    for (size_t i = 0; i < problem->op_count; i++)
        for (size_t u = 0; u < problem->ops[i].use_count; u++) {
            const swp_problem_use *use = &problem->ops[i].uses[u];
            if (use->resource != bound->bound_resource || use->cycles == 0 ||
                swp_problem_weight(&bound->bound_weights, use->amount) == 0)
                continue;
            if (json_array_append_new(names, json_string(problem->ops[i].name)) != 0) {
                json_decref(names);
                return NULL;
            }
            break;
        }
    return names;
}

static json_t *unit_value(const swp_problem *problem, const swp_answer *bound)
{
    const swp_amount_weights *weights = &bound->bound_weights;
    const char *name = problem->resources[bound->bound_resource].name;
    json_t *holders = holders_value(problem, bound);
    if (weights->count == 0)
        return json_pack("{ss so}", "unit", name, "ops", holders);
    return json_pack("{ss so so sI}", "unit", name, "ops", holders, "weights",
                     swp_json_list(weights->count, weight_value, weights), "most",
                     (json_int_t)weights->most);
}

json_t *swp_json_held_by(const swp_pipeline *p)
{
    const swp_answer *bound = &p->bound_answer;
    switch (bound->bound_kind) {
    case SWP_BOUND_RESOURCE:
        return unit_value(&p->bound_problem.problem, bound);
    case SWP_BOUND_CYCLE:
        return json_pack("{so}", "cycle", swp_json_list(bound->bound_edge_count, cycle_value, p));
    case SWP_BOUND_REFUTATION:
        return json_pack("{sI so}", "refuted", (json_int_t)bound->bound - 1, "core", core_value(p));
    case SWP_BOUND_SHIFTS:
        return json_pack("{sI sb}", "refuted", (json_int_t)bound->bound - 1, "shifts", 1);
    case SWP_BOUND_PATH:
    case SWP_BOUND_NONE:
        break;
    }
    return json_null();
}

static json_t *queue_value(const void *of, size_t index)
{
    const swp_loop_order_bound *bound = of;
    return json_string(bound->queues[index]);
}

static json_t *order_slots_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const swp_loop_order_bound *bound = &p->order_bound;
    return json_pack("{ss si}", "value", p->loop->values[bound->values[index]].name, "slots",
                     bound->slots[index]);
}

static json_t *orders_value(const swp_pipeline *p)
{
    const swp_loop_order_bound *bound = &p->order_bound;
    if (bound->refuted == 0)
        return json_null();
    return json_pack("{sI so so}", "refuted", (json_int_t)bound->refuted, "in_order",
                     swp_json_list(bound->queue_count, queue_value, bound), "slots",
                     swp_json_list(bound->value_count, order_slots_value, p));
}

static json_t *op_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const swp_loop_op *op = &p->loop->ops[index];
    json_t *value =
        json_pack("{ss sI si}", "name", op->name, "cycle",
                  (json_int_t)(p->answer.times[index] % p->answer.value), "stage", p->stage[index]);
    if (!value || p->loop->role_count == 0)
        return value;
    if (json_object_set_new(value, "role", json_string(p->loop->roles[op->role].name)) == 0)
        return value;
    json_decref(value);
    return NULL;
}

static json_t *value_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const swp_loop_value *v = &p->loop->values[index];
    return json_pack("{ss ss si sI}", "name", v->name, "space", swp_space_name(v->space), "slots",
                     p->slots[index], "bytes", (json_int_t)v->bytes * p->slots[index]);
}

static json_t *objective_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const swp_objective objective = p->loop->objectives[index];
    const int64_t value = objective == SWP_LEAST_STAGES   ? p->stages
                          : objective == SWP_LEAST_SHARED ? p->bytes[SWP_SPACE_SHARED]
                                                          : p->bytes[SWP_SPACE_REGISTERS];
    return json_pack("{ss sI sb}", "name", swp_objective_name(objective), "value",
                     (json_int_t)value, "proven", p->proven[objective]);
}

/* When the instances of a role begin the same iteration, counted from the first one. */
static json_t *role_value(const void *of, size_t index)
{
    const swp_pipeline *p = of;
    const int64_t *shifts = p->shifts + swp_ir_loop_first_shift(p->loop, (int)index);
    json_t *array = json_array();
    int failed = json_array_append_new(array, json_integer(0));
    for (int i = 1; i < swp_ir_loop_role_instances(p->loop, (int)index); i++)
        failed |= json_array_append_new(array, json_integer((json_int_t)shifts[i - 1]));
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return json_pack(
        "{ss so sI}", "name", p->loop->roles[index].name, "shifts", array, "registers",
        (json_int_t)swp_ir_loop_role_registers(
            p->loop, (int)index, swp_pipeline_role_bytes(p->loop, p->slots, (int)index)));
}

json_t *swp_json_pipeline(const swp_pipeline *p)
{
    json_t *pipeline = json_pack(
        "{sI sI sb so so so so so sI sI si so}", "interval", (json_int_t)p->answer.value, "bound",
        (json_int_t)p->bound_answer.bound, "proven", p->interval_proven, "held_by",
        swp_json_held_by(p), "orders", orders_value(p), "objectives",
        swp_json_list(SWP_OBJECTIVE_COUNT, objective_value, p), "ops",
        swp_json_list(p->loop->op_count, op_value, p), "values",
        swp_json_list(p->loop->value_count, value_value, p), "lanes", (json_int_t)p->loop->lanes,
        "lane_registers", (json_int_t)swp_ir_loop_registers(p->loop, p->bytes[SWP_SPACE_REGISTERS]),
        "resident_work_groups", swp_ir_loop_resident(p->loop), "resident_fit",
        p->resident_fit > 0 ? json_integer(p->resident_fit) : json_null());
    if (!pipeline || p->loop->role_count == 0)
        return pipeline;
    if (json_object_set_new(pipeline, "roles", swp_json_list(p->loop->role_count, role_value, p)) ==
        0)
        return pipeline;
    json_decref(pipeline);
    return NULL;
}
