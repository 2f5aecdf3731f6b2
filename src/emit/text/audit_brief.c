/* SPDX-License-Identifier: Apache-2.0 */
/* An audit among others: a line for each kernel, and one for each of its findings. */
#include "audit_sites.h"

#include "base/require.h"

static void add_finding(swp_text *text, const swp_audit_report *report,
                        const swp_audit_finding *finding)
{
    swp_text_format(text, "  ");
    swp_emit_audit_place(text, report->file, &finding->at);
    swp_text_toned(text, finding->certain ? SWP_TONE_BAD : SWP_TONE_DOUBT,
                   "%s[%s]:", finding->certain ? "fault" : "unknown",
                   swp_hazard_name(finding->kind));
    swp_text_format(text, " %s", finding->place);
    if (finding->other.source)
        swp_text_format(text, ", with %s:%d", finding->other.source, finding->other.source_line);
    else if (finding->other.line)
        swp_text_format(text, ", with line %d", finding->other.line);
    if (finding->accepted)
        swp_text_format(text, "; accepted: %s", finding->accepted);
    swp_text_format(text, "\n");
}

static void add_findings(swp_text *text, const swp_audit_report *report, int kernel)
{
    for (size_t i = 0; i < report->findings.count; i++)
        if (kernel < 0 || report->findings.items[i].kernel == kernel)
            add_finding(text, report, &report->findings.items[i]);
}

swp_status swp_audit_brief(swp_context *ctx, const swp_audit_report *report, char **text,
                           size_t *length)
{
    SWP_REQUIRE(ctx, ctx && report && text);
    swp_text sheet = {.ctx = ctx};
    for (size_t i = 0; i < report->kernels.count; i++) {
        swp_emit_audit_answer(&sheet, report, &report->kernels.items[i]);
        add_findings(&sheet, report, (int)i);
    }
    if (!report->kernels.count) {
        swp_text_format(&sheet, "%s: ", report->file);
        swp_text_toned(&sheet, swp_emit_audit_tone(report->answer), "%s",
                       swp_audit_answer_name(report->answer));
        swp_text_format(&sheet, "\n");
        add_findings(&sheet, report, -1);
    }
    return swp_text_end(&sheet, text, length);
}
