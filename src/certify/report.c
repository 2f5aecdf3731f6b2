/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a check found, for people. */
#include "base/require.h"
#include "base/text.h"
#include "swp/certify.h"

static void put_claim(swp_text *text, const swp_certificate_report *report)
{
    swp_text_format(text, ", %s", swp_answer_status_name(report->status));
    if (report->status == SWP_ANSWER_OPTIMAL || report->status == SWP_ANSWER_FEASIBLE)
        swp_text_format(text, " at %lld", (long long)report->value);
    if (report->status != SWP_ANSWER_INFEASIBLE)
        swp_text_format(text, ", proven %lld", (long long)report->proven);
}

static void put_work(swp_text *text, const swp_certificate_report *report)
{
    if (report->parts > 0)
        swp_text_format(text, "; %zu part%s", report->parts, report->parts == 1 ? "" : "s");
    if (report->steps > 0)
        swp_text_format(text, "; %zu step%s", report->steps, report->steps == 1 ? "" : "s");
    if (report->refutations > 0)
        swp_text_format(text, ", %llu clauses refuted by %llu proof steps (%llu RAT)",
                        (unsigned long long)report->clauses, (unsigned long long)report->additions,
                        (unsigned long long)report->rat);
}

static void put_claims(swp_text *text, const swp_certificate_report *report)
{
    for (size_t i = 0; i < report->claim_count; i++) {
        const swp_certificate_claim *claim = &report->claims[i];
        swp_text_format(text, "  %s %lld: %s%s\n", claim->name, (long long)claim->value,
                        claim->proven ? "least" : "not proven least",
                        claim->proven && i > 0 ? ", given the above" : "");
    }
}

static void put_reason(swp_text *text, const swp_certificate_report *report)
{
    swp_text_format(text, "  ");
    if (report->place.file)
        swp_text_format(text, "%s:%d: ", report->place.file, report->place.line);
    if (report->part > 0)
        swp_text_format(text, "part %zu: ", report->part);
    if (report->step > 0)
        swp_text_format(text, "step %zu: ", report->step);
    swp_text_format(text, "%s\n", report->why);
}

swp_status swp_certificate_text(swp_context *ctx, const swp_certificate_report *report, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && report && text);
    swp_text out = {.ctx = ctx};
    swp_text_format(&out, "%s: %s", report->name, swp_certificate_verdict_name(report->verdict));
    put_claim(&out, report);
    put_work(&out, report);
    swp_text_format(&out, "\n");
    put_claims(&out, report);
    if (report->why)
        put_reason(&out, report);
    return swp_text_end(&out, text, length);
}
