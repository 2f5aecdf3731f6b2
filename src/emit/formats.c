/* SPDX-License-Identifier: Apache-2.0 */
/* The table of output formats. */
#include "swp/emit.h"

#include "base/names.h"
#include "base/require.h"
#include "emit/draw/dot.h"
#include "emit/draw/html.h"
#include "emit/draw/perfetto.h"
#include "emit/draw/svg.h"
#ifndef SWP_CORE_ONLY
#include "emit/json/schedule_write.h"
#endif
#include "emit/header.h"
#include "emit/text/schedule.h"

#include <string.h>

static const swp_emit_format formats[] = {
    {"text", "the phases and their figures, for people", swp_emit_text, NULL},
#ifndef SWP_CORE_ONLY
    {"json", "the whole schedule, stable; also an input", swp_json_emit, NULL},
#endif
    {"c", "a header of macros that run the schedule in a kernel", swp_emit_default_c_header, NULL},
    {"dot", "the dependence graph of a pass, for Graphviz", swp_emit_dot, NULL},
    {"svg", "a timeline as a picture: the run, the interval, reservations, slots", swp_emit_svg,
     swp_emit_svg_of_two},
    {"html", "the same as one page for a browser, to look into", swp_emit_html,
     swp_emit_html_of_two},
    {"perfetto", "the same as a trace, for ui.perfetto.dev or chrome://tracing", swp_emit_perfetto,
     NULL},
};

const swp_emit_format *swp_emit_formats(size_t *count)
{
    SWP_REQUIRE_OR(NULL, count);
    *count = SWP_COUNT_OF(formats);
    return formats;
}

const swp_emit_format *swp_emit_format_find(const char *name)
{
    SWP_REQUIRE_OR(NULL, name);
    for (size_t i = 0; i < SWP_COUNT_OF(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_space(const char *text, size_t length, size_t at)
{
    while (at < length && is_space(text[at]))
        at++;
    return at;
}

/* A brace may also begin YAML in flow style, but there keys have no quotes. */
bool swp_looks_like_json(const char *text, size_t length)
{
    SWP_REQUIRE_OR(false, (text || length == 0));
    const size_t brace = skip_space(text, length, 0);
    if (brace >= length || text[brace] != '{')
        return false;
    const size_t key = skip_space(text, length, brace + 1);
    return key >= length || text[key] == '"' || text[key] == '}';
}
