/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of an explanation: a line for each wait or barrier and for each op of the order. */
#include "swp/explain.h"

#include "base/require.h"
#include "emit/json/parts.h"

static json_t *need_value(const void *explanation, size_t index)
{
    return swp_json_hazard(&((const swp_explanation *)explanation)->needs.items[index]);
}

static json_t *explanation_value(const swp_schedule *schedule, const swp_explanation *explanation)
{
    const swp_entry_ref at = explanation->at;
    const swp_op *op = &swp_schedule_phase(schedule, at.phase)->items[at.entry].op;
    return json_pack(
        "{s:s, s:i, s:s, s:i, s:o}", "phase", swp_phase_name(at.phase), "entry", at.entry, "name",
        swp_schedule_op_name(schedule, op->tag), "wait", op->wait_value, "needs",
        explanation->left_out ? json_null()
                              : swp_json_list(explanation->needs.count, need_value, explanation));
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
                     "held_by", swp_order_hold_name(reason->hold),
                     "holder", position_value(reason->holder));
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
        swp_json_put_element(text, i, reason_value(schedule, &order->items[i]));
    swp_json_end_array(text, order->count);
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
