/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of an audit, with their sources, and a line for each kernel. */
#include "audit_sites.h"

#include <string.h>

enum {
    LONGEST_LIST = 48, /* characters of operands in braces that are shown whole */
    MOST_PLACES = 8    /* that are told besides the first one */
};

void swp_emit_audit_place(swp_text *text, const char *file, const swp_audit_site *site)
{
    if (site->source)
        swp_text_format(text, "%s:%d (%s:%d): ", site->source, site->source_line, file, site->line);
    else if (site->line)
        swp_text_format(text, "%s:%d: ", file, site->line);
    else
        swp_text_format(text, "%s: ", file);
}

/* Of a list of registers that fills the page its ends say enough. */
static void add_shortened(swp_text *text, const char *insn)
{
    const char *open = strchr(insn, '{');
    const char *close = open ? strchr(open, '}') : NULL;
    const char *first = open ? strchr(open, ',') : NULL;
    const char *last = close;
    if (!close || !first || first > close || close - open <= LONGEST_LIST) {
        swp_text_format(text, "%s", insn);
        return;
    }
    while (*last != ',')
        last--;
    swp_text_format(text, "%.*s, ...%.*s", (int)(first - insn), insn, (int)(close - last), last);
    add_shortened(text, close);
}

void swp_emit_audit_site(swp_text *text, const swp_audit_site *site, const char *remark)
{
    if (!site->line)
        return;
    swp_text_format(text, "  %6d | ", site->line);
    add_shortened(text, site->text);
    swp_text_format(text, "%s", remark);
    if (site->source)
        swp_text_format(text, "    %s:%d", site->source, site->source_line);
    if (site->caller)
        swp_text_format(text, ", called in %s:%d", site->caller, site->caller_line);
    swp_text_format(text, "\n");
}

void swp_emit_audit_also(swp_text *text, const swp_audit_finding *finding)
{
    const size_t count = finding->also.count;
    if (!count)
        return;
    swp_text_format(text, "  the same in %zu other cop%s of this code: line", count,
                    count == 1 ? "y" : "ies");
    for (size_t i = 0; i < count && i < MOST_PLACES; i++) {
        const swp_audit_pair *pair = &finding->also.items[i];
        swp_text_format(text, "%s %d", i ? "," : count > 1 ? "s" : "", pair->at.line);
        if (pair->other.line)
            swp_text_format(text, " with %d", pair->other.line);
    }
    swp_text_format(text, "%s\n", count > MOST_PLACES ? " ..." : "");
}

swp_tone swp_emit_audit_tone(swp_audit_answer answer)
{
    if (answer == SWP_AUDIT_UNKNOWN)
        return SWP_TONE_DOUBT;
    return answer == SWP_AUDIT_FAULT ? SWP_TONE_BAD : SWP_TONE_GOOD;
}

void swp_emit_audit_answer(swp_text *text, const swp_audit_report *report,
                           const swp_audit_kernel *kernel)
{
    swp_text_format(text, "%s:%d: kernel %s: ", report->file, kernel->line, kernel->name);
    swp_text_toned(text, swp_emit_audit_tone(kernel->answer), "%s",
                   swp_audit_answer_name(kernel->answer));
    if (kernel->faults)
        swp_text_format(text, ", %d certain", kernel->faults);
    if (kernel->unknown)
        swp_text_format(text, ", %d not certain", kernel->unknown);
    swp_text_format(text, "\n");
}

void swp_emit_audit_kernels(swp_text *text, const swp_audit_report *report)
{
    for (size_t i = 0; i < report->kernels.count; i++) {
        const swp_audit_kernel *kernel = &report->kernels.items[i];
        swp_emit_audit_answer(text, report, kernel);
        if (kernel->proven[0])
            swp_text_format(text, "  shown: %s\n", kernel->proven);
        if (kernel->open[0])
            swp_text_format(text, "  not shown: %s\n", kernel->open);
    }
    if (report->kernels.count)
        swp_text_format(text, "\n");
}
