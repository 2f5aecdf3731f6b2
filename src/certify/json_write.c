/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a check found as JSON. */
#include "swp/certify.h"

#include "base/require.h"
#include "json/put.h"

static void put_reason(swp_text *out, const swp_certificate_report *report)
{
    swp_json_put(out, ",\"why\":");
    swp_json_put_value(out, json_string(report->why));
    if (report->part > 0)
        swp_text_format(out, ",\"part\":%zu", report->part);
    if (report->step > 0)
        swp_text_format(out, ",\"step\":%zu", report->step);
    if (!report->place.file)
        return;
    swp_json_put(out, ",\"file\":");
    swp_json_put_value(out, json_string(report->place.file));
    swp_text_format(out, ",\"line\":%d", report->place.line);
}

static void put_claims(swp_text *out, const swp_certificate_report *report)
{
    for (size_t i = 0; i < report->claim_count; i++)
        swp_text_format(out, "%s{\"name\":\"%s\",\"value\":%lld,\"proven\":%s}",
                        i == 0 ? ",\"claims\":[" : ",", report->claims[i].name,
                        (long long)report->claims[i].value,
                        report->claims[i].proven ? "true" : "false");
    if (report->claim_count > 0)
        swp_json_put(out, "]");
}

swp_status swp_certificate_json(swp_context *ctx, const swp_certificate_report *report, char **text,
                                size_t *length)
{
    SWP_REQUIRE(ctx, ctx && report && text);
    const bool has_value =
        report->status == SWP_ANSWER_OPTIMAL || report->status == SWP_ANSWER_FEASIBLE;
    swp_text out = {.ctx = ctx};
    swp_json_put(&out, "{\"name\":");
    swp_json_put_value(&out, json_string(report->name));
    swp_text_format(&out, ",\"verdict\":\"%s\",\"status\":\"%s\"",
                    swp_certificate_verdict_name(report->verdict),
                    swp_answer_status_name(report->status));
    if (has_value)
        swp_text_format(&out, ",\"value\":%lld", (long long)report->value);
    else
        swp_json_put(&out, ",\"value\":null");
    swp_text_format(&out,
                    ",\"proven\":%lld,\"steps\":%zu,\"refutations\":%zu,\"clauses\":%llu,"
                    "\"additions\":%llu,\"rat\":%llu,\"deletions\":%llu,"
                    "\"unknown_deletions\":%llu,\"seconds\":%.6f",
                    (long long)report->proven, report->steps, report->refutations,
                    (unsigned long long)report->clauses, (unsigned long long)report->additions,
                    (unsigned long long)report->rat, (unsigned long long)report->deletions,
                    (unsigned long long)report->unknown_deletions, report->seconds);
    put_claims(&out, report);
    if (report->why)
        put_reason(&out, report);
    swp_json_put(&out, "}");
    return swp_text_end(&out, text, length);
}
