/* SPDX-License-Identifier: Apache-2.0 */
/* Audits as JUnit XML, which CI systems show as tests: a suite for each file, a case for each kernel. */
#include "audit_sites.h"

#include "base/require.h"

typedef struct counts {
    int cases;
    int failures;
    int skipped;
} counts;

static counts count(const swp_audit_report *report)
{
    counts c = {0};
    for (size_t i = 0; i < report->kernels.count; i++) {
        c.cases++;
        c.failures += report->kernels.items[i].answer == SWP_AUDIT_FAULT;
        c.skipped += report->kernels.items[i].answer == SWP_AUDIT_UNKNOWN;
    }
    if (!report->kernels.count)
        c = (counts){1, report->answer == SWP_AUDIT_FAULT, report->answer == SWP_AUDIT_UNKNOWN};
    return c;
}

static void add_finding(swp_text *text, const swp_audit_report *report,
                        const swp_audit_finding *finding)
{
    swp_emit_audit_place(text, report->file, &finding->at);
    swp_text_format(text, "%s[%s]: %s\n  %s\n", finding->certain ? "fault" : "unknown",
                    swp_hazard_name(finding->kind), finding->place, finding->detail);
    swp_emit_audit_site(text, &finding->other, "");
    swp_emit_audit_site(text, &finding->at, "");
    swp_text_format(text, "  hint: %s\n", finding->hint);
}

/* What is not known is skipped: it neither passes nor fails. */
static void add_case(swp_text *text, const swp_audit_report *report, const char *name, int kernel,
                     swp_audit_answer answer)
{
    swp_text_format(text, "    <testcase classname=\"%s\" name=\"%s\">", report->file, name);
    if (answer == SWP_AUDIT_FAULT)
        swp_text_format(text, "<failure message=\"%s\">\n", swp_audit_answer_meaning(answer));
    else if (answer == SWP_AUDIT_UNKNOWN)
        swp_text_format(text, "<skipped message=\"%s\"/><system-out>\n",
                        swp_audit_answer_meaning(answer));
    for (size_t i = 0; i < report->findings.count; i++)
        if ((kernel < 0 || report->findings.items[i].kernel == kernel) &&
            (answer == SWP_AUDIT_FAULT || answer == SWP_AUDIT_UNKNOWN))
            add_finding(text, report, &report->findings.items[i]);
    if (answer == SWP_AUDIT_FAULT)
        swp_text_format(text, "</failure>");
    else if (answer == SWP_AUDIT_UNKNOWN)
        swp_text_format(text, "</system-out>");
    swp_text_format(text, "</testcase>\n");
}

static void add_suite(swp_text *text, const swp_audit_file_result *file)
{
    const swp_audit_report *report = file->report;
    if (!report) {
        swp_text_format(text,
                        "  <testsuite name=\"%s\" tests=\"1\" errors=\"1\" failures=\"0\" "
                        "skipped=\"0\">\n    <testcase classname=\"%s\" name=\"%s\"><error "
                        "message=\"%s\"/></testcase>\n  </testsuite>\n",
                        file->file, file->file, file->file, file->why);
        return;
    }
    const counts c = count(report);
    swp_text_format(
        text,
        "  <testsuite name=\"%s\" tests=\"%d\" errors=\"0\" failures=\"%d\" skipped=\"%d\">\n",
        report->file, c.cases, c.failures, c.skipped);
    for (size_t i = 0; i < report->kernels.count; i++)
        add_case(text, report, report->kernels.items[i].name, (int)i,
                 report->kernels.items[i].answer);
    if (!report->kernels.count)
        add_case(text, report, report->file, -1, report->answer);
    swp_text_format(text, "  </testsuite>\n");
}

swp_status swp_audit_junit(swp_context *ctx, const swp_audit_file_result *files, size_t count,
                           char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && (files || !count) && text);
    swp_text sheet = {.ctx = ctx, .escape = SWP_ESCAPE_MARKUP};
    swp_text_format(&sheet, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (size_t i = 0; i < count; i++)
        add_suite(&sheet, &files[i]);
    swp_text_format(&sheet, "</testsuites>\n");
    return swp_text_end(&sheet, text, length);
}
