/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Derives waits and barriers for the order of a schedule's kernel phase: reads the schedule's JSON from standard input, writes it
 * to standard output.
 */
#include "swp/swp.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 26, SECONDS = 10 }; /* of each search, as `swp` has it */

static char text[MOST_BYTES];

static int stop(swp_context *ctx, const char *what)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    (void)fprintf(stderr, "%s: %s\n", what, count > 0 ? diags[0].message : "failed");
    return EXIT_FAILURE;
}

int main(void)
{
    swp_context *ctx = swp_context_new(NULL);
    const size_t length = fread(text, 1, sizeof text, stdin);
    swp_schedule *schedule = NULL;
    const swp_limits limits = {.seconds = SECONDS};
    char *out = NULL;
    size_t out_length = 0;
    if (!ctx)
        return EXIT_FAILURE;
    swp_context_set_limits(ctx, &limits);
    if (swp_schedule_read_json(ctx, text, length, "standard input", &schedule) != SWP_OK)
        return stop(ctx, "reading");
    if (swp_derive_sync(ctx, schedule, SWP_SYNC_CYCLES, false, &schedule->sync) != SWP_OK)
        return stop(ctx, "synchronising");
    if (swp_emit_format_find("json")->emit(ctx, schedule, &out, &out_length) != SWP_OK)
        return stop(ctx, "writing");
    (void)fwrite(out, 1, out_length, stdout);
    swp_schedule_free(schedule);
    swp_context_free(ctx);
    return EXIT_SUCCESS;
}
