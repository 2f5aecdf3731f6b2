/* SPDX-License-Identifier: Apache-2.0 */
/* Which answers of audits are kept, and what they depend on. */
#include "audit_cache.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_launch(FILE *stream, const swp_audit_launch *launch)
{
    (void)fprintf(stream, "kernel %s\n", launch->kernel ? launch->kernel : "");
    for (size_t i = 0; i < launch->argument_count; i++)
        (void)fprintf(stream, "argument %s %d %d %" PRId64 "\n",
                      launch->arguments[i].name ? launch->arguments[i].name : "",
                      launch->arguments[i].param, launch->arguments[i].byte,
                      launch->arguments[i].value);
    for (size_t i = 0; i < launch->box_count; i++)
        (void)fprintf(stream, "box %s %d %d %" PRId64 "\n",
                      launch->boxes[i].name ? launch->boxes[i].name : "", launch->boxes[i].param,
                      launch->boxes[i].byte, launch->boxes[i].bytes);
    for (size_t i = 0; i < launch->name_count; i++)
        (void)fprintf(stream, "name %s\n", launch->names[i]);
    for (int d = 0; d < 3; d++)
        (void)fprintf(stream, "%d %d %d %d\n", launch->grid[d], launch->block[d],
                      launch->work_group[d], launch->cluster[d]);
    (void)fprintf(stream, "%d %d %" PRId64 "\n", launch->one_work_group, launch->has_shared,
                  launch->shared);
}

void audit_cache_key(const cli_invocation *invocation, const cli_source *text,
                     uint32_t changed_rules, cli_cache_key *key)
{
    *key = (cli_cache_key){0};
    if (!cache_is_on(invocation) || invocation->work_seconds > 0 || invocation->work_limit > 0 ||
        invocation->advice)
        return;
    FILE *stream = cache_begin_key("audit", key);
    if (!stream)
        return;
    (void)fprintf(stream, "first %d\nrules %" PRIu32 "\n", invocation->first, changed_rules);
    add_launch(stream, &invocation->launch);
    (void)fwrite(text->text, 1, text->length, stream);
    cache_end_key(stream, key);
}

bool audit_cache_find(swp_context *ctx, const cli_cache_key *key, const char *file,
                      swp_audit_report *out)
{
    size_t length = 0;
    char *text = cache_find(key, &length);
    const bool found = text && swp_audit_read(ctx, text, length, file, out) == SWP_OK;
    free(text);
    return found;
}

void audit_cache_keep(swp_context *ctx, const cli_cache_key *key, const swp_audit_report *report)
{
    char *text = NULL;
    size_t length = 0;
    if (key->text && report->kernels.count && swp_audit_json(ctx, report, &text, &length) == SWP_OK)
        cache_keep(key, text, length);
}
