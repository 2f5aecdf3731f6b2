/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "swp/explain.h"

static const swp_op *op_at(const swp_schedule *schedule, swp_entry_ref at)
{
    return &swp_schedule_phase(schedule, at.phase)->items[at.entry].op;
}

static void add_sync(swp_text *text, const swp_schedule *schedule, swp_entry_ref at)
{
    const swp_op *op = op_at(schedule, at);
    swp_text_format(text, "%-8s %3d  %s", swp_phase_name(at.phase), at.entry,
                    swp_schedule_op_name(schedule, op->tag));
    if (op->tag != SWP_TAG_BARRIER)
        swp_text_format(text, " %scnt <= %d", op->tag == SWP_TAG_WAIT_VM ? "vm" : "lgkm",
                        op->wait_value);
}

static void add_entry(swp_text *text, const swp_schedule *schedule, swp_entry_ref at)
{
    const bool at_end = at.entry >= (int)swp_schedule_phase(schedule, at.phase)->count;
    swp_text_format(text, "%s %d", swp_phase_name(at.phase), at.entry);
    if (!at_end)
        swp_text_format(text, " (%s)", swp_schedule_op_name(schedule, op_at(schedule, at)->tag));
}

static void add_need(swp_text *text, const swp_schedule *schedule, const swp_hazard *need)
{
    swp_text_format(text, "      %-18s ", swp_hazard_name(need->kind));
    if (need->has_other) {
        add_entry(text, schedule, need->other);
        if (need->passes_before > 0)
            swp_text_format(text, " of %d pass%s before", need->passes_before,
                            need->passes_before == 1 ? "" : "es");
        swp_text_format(text, ", then ");
    }
    add_entry(text, schedule, need->at);
    swp_text_format(text, "\n");
}

swp_status swp_explanation_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_explanation_list *explanations, char **text,
                                size_t *length)
{
    swp_text out = {.ctx = ctx};
    size_t unneeded = 0;
    for (size_t i = 0; i < explanations->count; i++) {
        const swp_explanation *e = &explanations->items[i];
        add_sync(&out, schedule, e->at);
        swp_text_format(&out, "%s\n", e->needs.count > 0 ? "" : ": no dependence needs it");
        for (size_t n = 0; n < e->needs.count; n++)
            add_need(&out, schedule, &e->needs.items[n]);
        unneeded += e->needs.count == 0;
    }
    swp_text_format(&out,
                    "%s: %zu waits and barriers, %zu of them unneeded while the others stand\n",
                    schedule->name, explanations->count, unneeded);
    return swp_text_end(&out, text, length);
}
