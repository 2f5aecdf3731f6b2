/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of an explanation: a line for each wait or barrier and for each op of the order. */
#include "swp/explain.h"

#include "base/require.h"
#include "emit/json/loop.h"
#include "emit/json/parts.h"
#include "ir/entry.h"
#include "ir/roles.h"
#include "ir/schedule.h"

typedef struct explained {
    const swp_schedule *schedule;
    const swp_explanation *explanation;
} explained;

/* Of a loop's op its iteration. False: memory ran out. */
static bool put_iteration(json_t *object, const swp_schedule *schedule, const swp_entry *entry)
{
    return !entry || !swp_ir_loop_op(schedule, &entry->op) ||
           !json_object_set_new(object, "iteration", json_integer(entry->op.iteration));
}

static const swp_entry *entry_of(const swp_schedule *schedule, int n, int stream, swp_entry_ref at)
{
    const int form = swp_ir_form_at(schedule, at.phase, n);
    return swp_ir_entry_of(schedule, stream, form, at.phase, at.entry);
}

static bool put_other(json_t *object, const swp_schedule *schedule, const swp_hazard *need)
{
    const swp_entry *entry = entry_of(schedule, need->smallest_n, need->other_stream, need->other);
    return put_iteration(object, schedule, entry) &&
           (!entry ||
            !json_object_set_new(object, "name",
                                 json_string(swp_schedule_op_name(schedule, entry->op.tag))));
}

static json_t *need_value(const void *of, size_t index)
{
    const explained *e = of;
    const swp_hazard *need = &e->explanation->needs.items[index];
    json_t *value = swp_json_hazard(e->schedule, need);
    json_t *other = json_object_get(value, "other");
    const swp_entry *entry = entry_of(e->schedule, need->smallest_n, need->stream, need->at);
    if (!value || !put_iteration(value, e->schedule, entry) ||
        (need->has_other && !put_other(other, e->schedule, need))) {
        json_decref(value);
        return NULL;
    }
    return value;
}

static json_t *partner_value(const void *of, size_t index)
{
    const explained *e = of;
    const swp_partner *partner = &e->explanation->partners.items[index];
    const swp_stream *stream = &e->schedule->streams[partner->stream];
    const swp_op *op = &stream->kernel.items[partner->entry].op;
    return json_pack("{s:s, s:i, s:s, s:i}", "role", stream->name, "entry", partner->entry, "name",
                     swp_schedule_op_name(e->schedule, op->tag), "passes_later",
                     partner->passes_later);
}

/* What a schedule with warp roles has besides. NULL: memory ran out. */
static json_t *with_role(json_t *value, const explained *e, const swp_op *op)
{
    const swp_schedule *schedule = e->schedule;
    const char *role = swp_ir_role_name(schedule, e->explanation->stream);
    if (!value || !role)
        return value;
    json_t *object = op->object < 0 ? json_null() : json_string(schedule->objects[op->object].name);
    if (!json_object_set_new(value, "role", json_string(role)) &&
        !json_object_set_new(value, "object", object) &&
        !json_object_set_new(value, "partners",
                             swp_json_list(e->explanation->partners.count, partner_value, e)))
        return value;
    json_decref(value);
    return NULL;
}

static json_t *explanation_value(const swp_schedule *schedule, const swp_explanation *explanation)
{
    const swp_entry_ref at = explanation->at;
    const swp_op *op =
        &swp_ir_entry_of(schedule, explanation->stream, explanation->form, at.phase, at.entry)->op;
    const explained e = {schedule, explanation};
    char list[SWP_LIST_NAME_SIZE];
    json_t *value = json_pack(
        "{s:s, s:s, s:i, s:s, s:i, s:o, s:o}", "phase", swp_phase_name(at.phase), "list",
        swp_ir_list_name(schedule, explanation->form, at.phase, list), "entry", at.entry, "name",
        swp_schedule_op_name(schedule, op->tag), "wait", op->wait_value, "may_leave",
        explanation->may_leave < 0 ? json_null() : json_integer(explanation->may_leave), "needs",
        explanation->left_out ? json_null()
                              : swp_json_list(explanation->needs.count, need_value, &e));
    return with_role(value, &e, op);
}

static json_t *position_value(int position)
{
    return position < 0 ? json_null() : json_integer(position);
}

/* clang-format off */
static json_t *reason_value(const swp_schedule *schedule, const swp_order_reason *reason)
{
    const swp_op *op = &schedule->body.items[reason->op];
    return json_pack("{s:i, s:s, s:o, s:o, s:o, s:I, s:s, s:o}",
                     "op", reason->op,
                     "name", swp_schedule_op_name(schedule, op->tag),
                     "after", position_value(reason->after),
                     "kind", reason->after < 0 ? json_null()
                                               : json_string(swp_dep_kind_name(reason->kind)),
                     "late", position_value(reason->late),
                     "start", (json_int_t)reason->start,
                     "held_by", swp_order_constraint_name(reason->constraint),
                     "holder", position_value(reason->binding_op));
}

static json_t *loop_reason_value(const swp_pipeline *p, const swp_order_reason *reason)
{
    return json_pack("{s:i, s:s, s:I, s:i, s:s, s:o, s:o, s:o}",
                     "op", reason->op,
                     "name", p->loop->ops[reason->op].name,
                     "start", (json_int_t)reason->start,
                     "stage", p->stage[reason->op],
                     "held_by", swp_order_constraint_name(reason->constraint),
                     "holder", position_value(reason->binding_op),
                     "unit", reason->unit < 0 ? json_null()
                                              : json_string(p->problem.problem.resources[reason->unit].name),
                     "dependence", reason->edge < 0
                                       ? json_null()
                                       : swp_json_dependence(p, &p->problem, reason->edge));
}
/* clang-format on */

static void put_explanation(swp_text *text, const swp_schedule *schedule,
                            const swp_explanation_list *explanations,
                            const swp_order_reason_list *order)
{
    swp_json_put_key(text, "swp");
    swp_json_put_value(text, json_integer(1));
    swp_json_put_key(text, "hazards");
    swp_json_put_value(text, json_integer((json_int_t)explanations->hazards));
    swp_json_put_key(text, "sync");
    for (size_t i = 0; i < explanations->count; i++)
        swp_json_put_element(text, i, explanation_value(schedule, &explanations->items[i]));
    swp_json_end_array(text, explanations->count);
    swp_json_put_key(text, "order");
    for (size_t i = 0; i < order->count; i++)
        swp_json_put_element(text, i,
                             schedule->pipeline
                                 ? loop_reason_value(schedule->pipeline, &order->items[i])
                                 : reason_value(schedule, &order->items[i]));
    swp_json_end_array(text, order->count);
    if (schedule->pipeline) {
        swp_json_put_key(text, "interval");
        swp_json_put_value(text, json_integer((json_int_t)schedule->pipeline->answer.value));
        swp_json_put_key(text, "held_by");
        swp_json_put_value(text, swp_json_held_by(schedule->pipeline));
    }
    swp_json_put_key(text, "unexplained");
    swp_json_put_value(text, order->unexplained ? json_string(order->unexplained) : json_null());
    swp_json_put(text, "\n}\n");
}

swp_status swp_explanation_json(swp_context *ctx, const swp_schedule *schedule,
                                const swp_explanation_list *explanations,
                                const swp_order_reason_list *order, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && schedule && explanations && order && text);
    swp_text sheet = {.ctx = ctx};
    SWP_TRY(swp_json_check_names(ctx, schedule));
    put_explanation(&sheet, schedule, explanations, order);
    return swp_text_end(&sheet, text, length);
}
