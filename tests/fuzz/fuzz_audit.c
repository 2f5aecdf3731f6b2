/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly is refused with a diagnostic, or audited, alone and against a schedule, to a report. */
#include "swp/audit_schedule.h"
#include "swp/describe.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_all(swp_context *ctx, const swp_audit_report *report)
{
    char *text = NULL;
    size_t length = 0;
    if (swp_audit_text(ctx, report, &text, &length) != SWP_OK ||
        swp_audit_json(ctx, report, &text, &length) != SWP_OK)
        abort();
}

static bool has_error(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (diags[i].severity == SWP_ERROR)
            return true;
    return false;
}

/* Branches within loops take the audit many seconds under sanitizers, which see nothing new there. */
static const swp_limits limits = {.total_seconds = 1};

static void audit(const uint8_t *data, size_t size, bool against)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    swp_audit_report report;
    if (against && (swp_description_from_builtin(ctx, "pingpong", &description) != SWP_OK ||
                    swp_description_compile(ctx, description, &schedule) != SWP_OK))
        abort();
    swp_context_set_limits(ctx, &limits);
    const swp_status status =
        against
            ? swp_audit_schedule(ctx, (const char *)data, size, "input", schedule, NULL, &report)
            : swp_audit_advise(ctx, (const char *)data, size, "input", &report);
    if (has_error(ctx) != (status != SWP_OK))
        abort();
    if (status == SWP_OK)
        write_all(ctx, &report);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    audit(data, size, false);
    audit(data, size, true);
    return 0;
}
