/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of an audit: a line for each loop, note and finding. */
#include "swp/report.h"

#include "base/diag.h"
#include "base/require.h"
#include "json/put.h"

/* A value of NULL is memory that ran out, and makes the object NULL too. */
static json_t *source_value(const char *file, int line)
{
    return file ? json_pack("{s:s, s:i}", "file", file, "line", line) : json_null();
}

static json_t *site_value(const swp_audit_site *site)
{
    json_t *value =
        site->line ? json_pack("{s:i, s:s}", "line", site->line, "text", site->text) : json_null();
    if (value && site->source &&
        (json_object_set_new(value, "source", source_value(site->source, site->source_line)) ||
         json_object_set_new(value, "caller", source_value(site->caller, site->caller_line)))) {
        json_decref(value);
        return NULL;
    }
    return value;
}

static json_t *also_value(const swp_audit_pair_list *also)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < also->count; i++)
        if (json_array_append_new(list,
                                  json_pack("{s:i, s:o, s:o}", "kernel", also->items[i].kernel,
                                            "at", site_value(&also->items[i].at), "other",
                                            site_value(&also->items[i].other)))) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

/* clang-format off */
static json_t *loop_value(const swp_audit_loop *loop)
{
    return json_pack("{s:s, s:i, s:i, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:i}",
                     "function", loop->function,
                     "first_line", loop->first_line,
                     "last_line", loop->last_line,
                     "innermost", (int)loop->innermost,
                     "copies", loop->copies,
                     "loads_to_lds", loop->loads_to_lds,
                     "lds_reads", loop->lds_reads,
                     "lds_writes", loop->lds_writes,
                     "matrix", loop->matrix,
                     "waits", loop->waits,
                     "barriers", loop->barriers);
}

static json_t *finding_value(const swp_audit_report *report, const swp_audit_finding *finding)
{
    return json_pack("{s:s, s:b, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:s, s:s, s:s, s:o}",
                     "kind", swp_hazard_name(finding->kind),
                     "certain", (int)finding->certain,
                     "kernel", report->kernels.count ? json_integer(finding->kernel) : json_null(),
                     "accepted", finding->accepted ? json_string(finding->accepted) : json_null(),
                     "place", finding->place,
                     "earlier_pass", (int)finding->earlier_pass,
                     "at", site_value(&finding->at),
                     "other", site_value(&finding->other),
                     "wait", site_value(&finding->wait),
                     "enough", finding->should_be,
                     "detail", finding->detail,
                     "hint", finding->hint,
                     "also", also_value(&finding->also));
}

static json_t *kernel_value(const swp_audit_kernel *kernel)
{
    return json_pack("{s:s, s:s, s:i, s:s, s:i, s:i, s:s, s:s}",
                     "name", kernel->name,
                     "symbol", kernel->symbol,
                     "line", kernel->line,
                     "answer", swp_audit_answer_name(kernel->answer),
                     "faults", kernel->faults,
                     "unknown", kernel->unknown,
                     "shown", kernel->proven,
                     "not_shown", kernel->open);
}
/* clang-format on */

static json_t *note_value(const swp_audit_note *note)
{
    return json_pack("{s:o, s:s}", "at", site_value(&note->at), "why", note->why);
}

static json_t *index_value(int index)
{
    return index >= 0 ? json_integer(index) : json_null();
}

/* clang-format off */
static json_t *change_value(const swp_audit_change *change)
{
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:s, s:b, s:o}",
                     "kind", swp_audit_change_name(change->kind),
                     "phase", swp_phase_name(change->phase),
                     "entry", index_value(change->entry),
                     "name", change->name,
                     "at", site_value(&change->at),
                     "detail", change->detail,
                     "weakens", (int)change->weakens,
                     "cycles", change->has_cycles ? json_integer(change->cycles) : json_null());
}

static json_t *other_value(const swp_audit_hazard *hazard)
{
    if (!hazard->other_name)
        return json_null();
    return json_pack("{s:s, s:i, s:s, s:i, s:o}",
                     "phase", swp_phase_name(hazard->other_ref.phase),
                     "entry", hazard->other_ref.entry,
                     "name", hazard->other_name,
                     "passes_before", hazard->passes_before,
                     "at", site_value(&hazard->other));
}

static json_t *hazard_value(const swp_audit_hazard *hazard)
{
    return json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:i, s:b, s:s, s:s}",
                     "kind", swp_hazard_name(hazard->kind),
                     "phase", swp_phase_name(hazard->ref.phase),
                     "entry", index_value(hazard->ref.entry),
                     "name", hazard->name,
                     "at", site_value(&hazard->at),
                     "other", other_value(hazard),
                     "smallest_n", hazard->smallest_n,
                     "in_schedule", (int)hazard->in_schedule,
                     "detail", hazard->detail,
                     "hint", hazard->hint);
}
/* clang-format on */

static void put_notes(swp_text *text, const char *key, const swp_audit_note_list *list)
{
    swp_json_put_key(text, key);
    for (size_t i = 0; i < list->count; i++)
        swp_json_put_element(text, i, note_value(&list->items[i]));
    swp_json_end_array(text, list->count);
}

static void put_schedule(swp_text *text, const swp_audit_report *report)
{
    swp_json_put_key(text, "schedule");
    swp_json_put_value(text, json_string(report->schedule));
    swp_json_put_key(text, "main_loop");
    swp_json_put_value(text, index_value(report->main_loop));
    put_notes(text, "obstacles", &report->obstacles);
    swp_json_put_key(text, "changes");
    for (size_t i = 0; i < report->changes.count; i++)
        swp_json_put_element(text, i, change_value(&report->changes.items[i]));
    swp_json_end_array(text, report->changes.count);
    swp_json_put_key(text, "hazards");
    for (size_t i = 0; i < report->hazards.count; i++)
        swp_json_put_element(text, i, hazard_value(&report->hazards.items[i]));
    swp_json_end_array(text, report->hazards.count);
    swp_json_put_key(text, "cycles");
    swp_json_put_value(text, report->has_cycles
                                 ? json_pack("{s:f, s:f}", "schedule", report->schedule_cycles,
                                             "code", report->code_cycles)
                                 : json_null());
}

static json_t *advice_value(const swp_audit_advice *advice)
{
    return json_pack("{s:o, s:s, s:s, s:o}", "at", site_value(&advice->at), "enough",
                     advice->should_be, "why", advice->why, "cycles",
                     advice->has_cycles ? json_real(advice->cycles) : json_null());
}

static void put_advice(swp_text *text, const swp_audit_report *report)
{
    swp_json_put_key(text, "advice");
    for (size_t i = 0; i < report->advice.count; i++)
        swp_json_put_element(text, i, advice_value(&report->advice.items[i]));
    swp_json_end_array(text, report->advice.count);
    swp_json_put_key(text, "paces");
    for (size_t i = 0; i < report->paces.count; i++) {
        const swp_audit_pace *pace = &report->paces.items[i];
        swp_json_put_element(text, i,
                             json_pack("{s:i, s:f, s:f}", "loop", pace->loop, "cycles",
                                       pace->cycles, "advised_cycles", pace->advised_cycles));
    }
    swp_json_end_array(text, report->paces.count);
}

static json_t *shape_value(const int *shape, bool known)
{
    return known ? json_pack("[i, i, i]", shape[0], shape[1], shape[2]) : json_null();
}

static bool is_shape(const int *shape)
{
    return shape[0] || shape[1] || shape[2];
}

static json_t *arguments_value(const swp_audit_launch *launch)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < launch->argument_count; i++) {
        const swp_audit_argument *argument = &launch->arguments[i];
        if (json_array_append_new(list, json_pack("{s:i, s:i, s:I}", "param", argument->param,
                                                  "byte", argument->byte, "value",
                                                  (json_int_t)argument->value))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *boxes_value(const swp_audit_launch *launch)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < launch->box_count; i++) {
        const swp_audit_box *box = &launch->boxes[i];
        if (json_array_append_new(list, json_pack("{s:i, s:i, s:I}", "param", box->param, "byte",
                                                  box->byte, "bytes", (json_int_t)box->bytes))) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* What was stated of it, if anything was. */
static void put_launch(swp_text *text, const swp_audit_launch *launch)
{
    if (!launch->kernel && !launch->argument_count && !launch->box_count &&
        !is_shape(launch->grid) && !is_shape(launch->block) && !is_shape(launch->cluster) &&
        !launch->one_work_group)
        return;
    swp_json_put_key(text, "launch");
    swp_json_put_value(text,
                       json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel",
                                 launch->kernel ? json_string(launch->kernel) : json_null(),
                                 "arguments", arguments_value(launch), "boxes", boxes_value(launch),
                                 "grid", shape_value(launch->grid, is_shape(launch->grid)), "block",
                                 shape_value(launch->block, is_shape(launch->block)), "work_group",
                                 shape_value(launch->work_group, launch->one_work_group), "cluster",
                                 shape_value(launch->cluster, is_shape(launch->cluster))));
}

static void put_report(swp_text *text, const swp_audit_report *report)
{
    swp_json_put_key(text, "swp");
    swp_json_put_value(text, json_integer(1));
    swp_json_put_key(text, "file");
    swp_json_put_value(text, json_string(report->file));
    swp_json_put_key(text, "target");
    swp_json_put_value(text, json_string(report->target));
    swp_json_put_key(text, "answer");
    swp_json_put_value(text, json_string(swp_audit_answer_name(report->answer)));
    swp_json_put_key(text, "instructions");
    swp_json_put_value(text, json_integer(report->instructions));
    put_launch(text, &report->launch);
    if (report->kernels.count) {
        swp_json_put_key(text, "kernels");
        for (size_t i = 0; i < report->kernels.count; i++)
            swp_json_put_element(text, i, kernel_value(&report->kernels.items[i]));
        swp_json_end_array(text, report->kernels.count);
    }
    swp_json_put_key(text, "loops");
    for (size_t i = 0; i < report->loops.count; i++)
        swp_json_put_element(text, i, loop_value(&report->loops.items[i]));
    swp_json_end_array(text, report->loops.count);
    put_notes(text, "unknown_instructions", &report->unknown_instructions);
    put_notes(text, "assumptions", &report->assumptions);
    swp_json_put_key(text, "findings");
    for (size_t i = 0; i < report->findings.count; i++)
        swp_json_put_element(text, i, finding_value(report, &report->findings.items[i]));
    swp_json_end_array(text, report->findings.count);
    if (report->advised)
        put_advice(text, report);
    if (report->schedule)
        put_schedule(text, report);
    swp_json_put(text, "\n}\n");
}

swp_status swp_audit_json(swp_context *ctx, const swp_audit_report *report, char **text,
                          size_t *length)
{
    SWP_REQUIRE(ctx, ctx && report && text);
    swp_text sheet = {.ctx = ctx};
    put_report(&sheet, report);
    return swp_text_end(&sheet, text, length);
}
