/* SPDX-License-Identifier: Apache-2.0 */
/* What the search for a schedule depends on: the description, its settings, the target and the limits. */
#include "search_cache.h"

#include "swp/loop_compile.h"

#include <inttypes.h>
#include <stdlib.h>

/* A length before each text, so that no two of them read as one. */
static void add(FILE *stream, const char *what, const char *text, size_t length)
{
    (void)fprintf(stream, "%s %zu\n", what, length);
    (void)fwrite(text, 1, length, stream);
}

static void add_source(FILE *stream, const char *what, const cli_source *source)
{
    if (source->text)
        add(stream, what, source->text, source->length);
}

static void add_settings(FILE *stream, const cli_invocation *invocation, int argument)
{
    for (const cli_setting *s = setting_for(invocation->settings, argument); s;
         s = setting_for(s->next, argument))
        add_source(stream, "set", &s->text);
    add_source(stream, "target", &invocation->target);
    add_source(stream, "target file", &invocation->target_file);
    (void)fprintf(stream, "work %" PRIu64 " %a\n", invocation->work_limit,
                  invocation->work_seconds);
}

/* A certificate has what the search refuted on its way. */
static void find_key(const cli_invocation *invocation, int argument, const cli_source *text,
                     cli_cache_key *key)
{
    *key = (cli_cache_key){0};
    if (!cache_is_on(invocation) || invocation->certificate)
        return;
    FILE *stream = cache_begin_key("search", key);
    if (!stream)
        return;
    add_settings(stream, invocation, argument);
    if (!text->text)
        (void)fprintf(stream, "builtin %s\n", invocation->arguments[argument]);
    add_source(stream, "file", text);
    cache_end_key(stream, key);
}

swp_status search_cache_begin(const cli_invocation *invocation, int argument,
                              const cli_source *text, swp_context *ctx, cli_cache_key *key)
{
    size_t length = 0;
    find_key(invocation, argument, text, key);
    if (!key->text)
        return SWP_OK;
    char *before = cache_find(key, &length);
    const swp_status status = swp_context_keep_search(ctx, before, length);
    free(before);
    return status;
}

void search_cache_keep(const swp_context *ctx, bool is_whole, cli_cache_key *key)
{
    const char *text = NULL;
    size_t length = 0;
    if (key->text && is_whole && swp_context_kept_search(ctx, &text, &length))
        cache_keep(key, text, length);
    cache_free_key(key);
}
