/* SPDX-License-Identifier: Apache-2.0 */
/* What can be read can be written; what was written can be read, and is written alike again. */
#include "swp/emit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_as(swp_context *ctx, const swp_schedule *schedule, const char *format,
                      size_t *length)
{
    char *text = NULL;
    if (swp_emit_format_find(format)->emit(ctx, schedule, &text, length) != SWP_OK)
        abort();
    return text;
}

static void round_trip(swp_context *ctx, const swp_schedule *schedule)
{
    size_t length = 0;
    size_t length_again = 0;
    const char *text = write_as(ctx, schedule, "json", &length);
    swp_schedule *again = NULL;
    if (swp_schedule_read_json(ctx, text, length, "again", &again) != SWP_OK)
        abort();
    const char *text_again = write_as(ctx, again, "json", &length_again);
    if (length != length_again || memcmp(text, text_again, length) != 0)
        abort();
    swp_schedule_free(again);
}

/* A list that does not fit, or a lag that begins late, is told and taken. */
static size_t errors_of(const swp_context *ctx)
{
    size_t count = 0;
    size_t errors = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        errors += diags[i].severity == SWP_ERROR;
    return errors;
}

/* Whatever can be read becomes a header, or is refused with a reason: as that its proof takes too long. */
static void write_header(const swp_schedule *schedule)
{
    const swp_limits limits = {.total_seconds = 2};
    swp_context *ctx = swp_context_new(NULL);
    const swp_c_header_options options = {.prefix = "X", .allow_unsafe = true};
    char *text = NULL;
    size_t length = 0;
    size_t count = 0;
    swp_context_set_limits(ctx, &limits);
    const swp_status status = swp_emit_c_header(ctx, schedule, &options, &text, &length);
    (void)swp_context_diags(ctx, &count);
    if (status == SWP_OK ? length != strlen(text) : count == 0)
        abort();
    swp_context_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_schedule *schedule = NULL;
    const swp_status status =
        swp_schedule_read_json(ctx, (const char *)data, size, "input", &schedule);
    if ((status == SWP_OK) != (errors_of(ctx) == 0))
        abort();
    if (status == SWP_OK) {
        size_t length = 0;
        (void)write_as(ctx, schedule, "text", &length);
        (void)write_as(ctx, schedule, "dot", &length);
        round_trip(ctx, schedule);
        write_header(schedule);
    }
    swp_schedule_free(schedule);
    swp_context_free(ctx);
    return 0;
}
