/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a check with its verdict, or where its work is spent. */
#include "certify/judgement.h"

#include "base/clock.h"

#include <stdarg.h>

swp_judgement swp_certify_begin(swp_context *ctx)
{
    return (swp_judgement){.ctx = ctx, .budget = swp_budget_start(ctx, 0), .began = swp_clock()};
}

swp_status swp_certify_refuse(swp_judgement *judgement, swp_place place, const char *format, ...)
{
    char *why = NULL;
    va_list arguments;
    va_start(arguments, format);
    const swp_status status = swp_vformat(judgement->ctx, &why, format, arguments);
    va_end(arguments);
    SWP_TRY(status);
    judgement->why = why;
    judgement->place = place;
    return SWP_INVALID;
}

swp_status swp_certify_conclude(const swp_judgement *judgement, swp_status status,
                                swp_certificate_report *report)
{
    report->seconds = swp_clock() - judgement->began;
    if (status == SWP_STOPPED) {
        report->verdict = SWP_CERTIFICATE_STOPPED;
        report->why = "a limit was reached before the check came to its end";
        return SWP_OK;
    }
    if (status != SWP_INVALID || !judgement->why)
        return status;
    report->verdict = SWP_CERTIFICATE_REFUSED;
    report->why = judgement->why;
    report->place = judgement->place;
    return SWP_OK;
}

swp_status swp_certify_spend(swp_judgement *judgement, uint64_t work)
{
    return swp_budget_work(&judgement->budget, work) ? SWP_OK : SWP_STOPPED;
}
