/* SPDX-License-Identifier: Apache-2.0 */
/* An audit as a compiler would print it: finding by finding, each with the instructions it is about. */
#include "swp/report.h"

#include "base/text.h"

static void add_count(swp_text *text, int count, const char *what, const char *separator)
{
    if (count)
        swp_text_format(text, "%s%d %s%s", separator, count, what, count == 1 ? "" : "s");
}

static void add_loop(swp_text *text, const swp_audit_report *report, const swp_audit_loop *loop)
{
    swp_text_format(text, "%s:%d: loop to line %d in %s: %d matrix instruction%s", report->file,
                    loop->first_line, loop->last_line, loop->function, loop->matrix,
                    loop->matrix == 1 ? "" : "s");
    add_count(text, loop->loads_to_lds, "load", ", ");
    swp_text_format(text, loop->loads_to_lds ? " to LDS" : "");
    add_count(text, loop->lds_reads, "LDS read", ", ");
    add_count(text, loop->lds_writes, "LDS write", ", ");
    add_count(text, loop->waits, "wait", ", ");
    add_count(text, loop->barriers, "barrier", ", ");
    swp_text_format(text, "\n");
}

static void add_site(swp_text *text, const swp_audit_site *site, const char *remark)
{
    if (site->line)
        swp_text_format(text, "  %6d | %s%s\n", site->line, site->text, remark);
}

/* In the order in which they stand; what is issued in the pass before comes first. */
static void add_sites(swp_text *text, const swp_audit_finding *finding)
{
    add_site(text, &finding->other, finding->earlier_pass ? "    (the pass before)" : "");
    add_site(text, &finding->wait, "");
    add_site(text, &finding->at, "");
}

static void add_finding(swp_text *text, const swp_audit_report *report,
                        const swp_audit_finding *finding)
{
    swp_text_format(text, "%s:%d: %s[%s]: %s\n", report->file, finding->at.line,
                    finding->certain ? "fault" : "unknown", swp_hazard_name(finding->kind),
                    finding->place);
    swp_text_format(text, "  %s\n", finding->detail);
    add_sites(text, finding);
    if (finding->should_be[0])
        swp_text_format(text, "  enough: %s\n", finding->should_be);
    swp_text_format(text, "  hint: %s\n\n", finding->hint);
}

static void add_stranger(swp_text *text, const swp_audit_report *report,
                         const swp_audit_stranger *stranger)
{
    swp_text_format(text, "%s:%d: unknown instruction: %s\n  %s\n\n", report->file,
                    stranger->at.line, stranger->at.text, stranger->why);
}

static void add_closing_line(swp_text *text, const swp_audit_report *report)
{
    size_t faults = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        faults += report->findings.items[i].certain;
    const size_t unknown = report->findings.count - faults + report->strangers.count;
    swp_text_format(text, "%s: %s: %s", report->file, report->target,
                    swp_audit_answer_meaning(report->answer));
    if (faults || unknown)
        swp_text_format(text, ": %zu fault%s, %zu unknown", faults, faults == 1 ? "" : "s",
                        unknown);
    swp_text_format(text, " (%d instructions, %zu loop%s)\n", report->instructions,
                    report->loops.count, report->loops.count == 1 ? "" : "s");
}

swp_status swp_audit_text(swp_context *ctx, const swp_audit_report *report, char **text,
                          size_t *length)
{
    swp_text sheet = {.ctx = ctx};
    for (size_t i = 0; i < report->loops.count; i++)
        add_loop(&sheet, report, &report->loops.items[i]);
    swp_text_format(&sheet, "\n");
    for (size_t i = 0; i < report->strangers.count; i++)
        add_stranger(&sheet, report, &report->strangers.items[i]);
    for (size_t i = 0; i < report->findings.count; i++)
        add_finding(&sheet, report, &report->findings.items[i]);
    add_closing_line(&sheet, report);
    return swp_text_end(&sheet, text, length);
}
