/* SPDX-License-Identifier: Apache-2.0 */
/* A description is refused with a diagnostic, or compiles to a schedule that can be written. */
#include "swp/describe.h"
#include "swp/emit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void says_why(const swp_context *ctx, swp_status status)
{
    const swp_diag *diags = NULL;
    size_t count = 0;
    diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (diags[i].severity == SWP_ERROR)
            return;
    if (status != SWP_OK)
        abort();
}

/* JSON holds every schedule; what another format refuses, it refuses with a reason. */
static void write_all(swp_context *ctx, const swp_schedule *schedule)
{
    size_t count = 0;
    const swp_emit_format *formats = swp_emit_formats(&count);
    for (size_t i = 0; i < count; i++) {
        char *text = NULL;
        size_t length = 0;
        const swp_status status = formats[i].emit(ctx, schedule, &text, &length);
        says_why(ctx, status);
        if (strcmp(formats[i].name, "json") == 0 && status != SWP_OK)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_context_set_limits(ctx, &(swp_limits){.work = 300, .total_seconds = 0.05, .nominal = true});
    swp_description *description = NULL;
    swp_schedule *schedule = NULL;
    swp_status status =
        swp_description_read_yaml(ctx, (const char *)data, size, "input", &description);
    if (status == SWP_OK)
        status = swp_description_compile(ctx, description, &schedule);
    says_why(ctx, status);
    swp_context_set_limits(ctx,
                           &(swp_limits){0}); /* of the search, not of what writes its answer */
    if (status == SWP_OK)
        write_all(ctx, schedule);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
    return 0;
}
