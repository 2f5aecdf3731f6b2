/* SPDX-License-Identifier: Apache-2.0 */
/* Makes JSON Schemas of what the library reads: it fills a template with all that tables know. */
#include "swp/schema.h"

#include "base/diag.h"
#include "base/names.h"
#include "base/require.h"
#include "base/text.h"
#include "schema/keywords.h"
#include "schema/templates.h"
#include "swp/suggest.h"
#include "json/put.h"

#include <stdlib.h>
#include <string.h>

static const swp_schema rows[] = {
    {"description", "what is to be scheduled, in YAML"},
    {"schedule", "a compiled schedule, in JSON"},
    {"problem", "a scheduling problem, in JSON"},
    {"target", "a built-in target with other figures, in YAML"},
};

const swp_schema *swp_schemas(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(rows);
    return rows;
}

static const swp_schema_template *find(const char *name, swp_suggestion *near)
{
    size_t count = 0;
    const swp_schema_template *templates = swp_schema_templates(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(templates[i].name, name) == 0)
            return &templates[i];
        swp_suggest_offer(near, templates[i].name);
    }
    return NULL;
}

/* Joins the template's text, and parses it. NULL means that memory ran out, since the text itself is JSON. */
static json_t *parse(swp_context *ctx, const swp_schema_template *schema)
{
    swp_text text = {.ctx = ctx};
    char *joined = NULL;
    size_t length = 0;
    for (size_t i = 0; i < schema->count; i++)
        swp_text_add(&text, schema->lines[i], strlen(schema->lines[i]));
    if (swp_text_end(&text, &joined, &length) != SWP_OK)
        return NULL;
    return json_loadb(joined, length, 0, NULL);
}

swp_status swp_schema_json(swp_context *ctx, const char *name, char **text, size_t *length)
{
    SWP_REQUIRE(ctx, ctx && name && text);
    swp_suggestion near = swp_suggest_start(name);
    const swp_schema_template *found = find(name, &near);
    if (!found) {
        char hint[SWP_HINT_SIZE];
        return swp_error(ctx, SWP_E0106, SWP_NOWHERE,
                         swp_suggest_hint(&near, "description, schedule, problem or target", hint),
                         "there is no schema `%s`", name);
    }
    json_t *written = parse(ctx, found);
    json_t *whole = written ? swp_schema_expand(written) : NULL;
    char *dumped = whole ? json_dumps(whole, JSON_INDENT(2)) : NULL;
    swp_text sheet = {.ctx = ctx};
    json_decref(written);
    json_decref(whole);
    if (!dumped)
        return swp_out_of_memory(ctx);
    swp_json_put(&sheet, dumped);
    swp_json_put(&sheet, "\n");
    free(dumped);
    return swp_text_end(&sheet, text, length);
}
