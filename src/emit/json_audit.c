/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of an audit: a line for each loop, stranger and finding. */
#include "swp/report.h"

#include "base/diag.h"
#include "emit/json_put.h"

/* A value of NULL is memory that ran out, and makes the object NULL too. */
static json_t *site_value(const swp_audit_site *site)
{
    return site->line ? json_pack("{s:i, s:s}", "line", site->line, "text", site->text)
                      : json_null();
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

static json_t *finding_value(const swp_audit_finding *finding)
{
    return json_pack("{s:s, s:b, s:s, s:b, s:o, s:o, s:o, s:s, s:s, s:s}",
                     "kind", swp_hazard_name(finding->kind),
                     "certain", (int)finding->certain,
                     "place", finding->place,
                     "earlier_pass", (int)finding->earlier_pass,
                     "at", site_value(&finding->at),
                     "other", site_value(&finding->other),
                     "wait", site_value(&finding->wait),
                     "enough", finding->should_be,
                     "detail", finding->detail,
                     "hint", finding->hint);
}
/* clang-format on */

static json_t *stranger_value(const swp_audit_stranger *stranger)
{
    return json_pack("{s:o, s:s}", "at", site_value(&stranger->at), "why", stranger->why);
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
    swp_json_put_key(text, "loops");
    for (size_t i = 0; i < report->loops.count; i++)
        swp_json_put_element(text, i, loop_value(&report->loops.items[i]));
    swp_json_end_array(text, report->loops.count);
    swp_json_put_key(text, "unknown_instructions");
    for (size_t i = 0; i < report->strangers.count; i++)
        swp_json_put_element(text, i, stranger_value(&report->strangers.items[i]));
    swp_json_end_array(text, report->strangers.count);
    swp_json_put_key(text, "findings");
    for (size_t i = 0; i < report->findings.count; i++)
        swp_json_put_element(text, i, finding_value(&report->findings.items[i]));
    swp_json_end_array(text, report->findings.count);
    swp_json_put(text, "\n}\n");
}

swp_status swp_audit_json(swp_context *ctx, const swp_audit_report *report, char **text,
                          size_t *length)
{
    swp_text sheet = {.ctx = ctx};
    put_report(&sheet, report);
    return swp_text_end(&sheet, text, length);
}
