/* SPDX-License-Identifier: Apache-2.0 */
/* Holds the table of figures, and says which of them a target file states. */
#include "target/figures.h"

#include "base/require.h"
#include "base/text.h"

#include <string.h>

#define ROW(figure, section, key, least, meaning) {#section, #key, least, meaning},
static const swp_figure_row rows[] = {SWP_TARGET_FIGURES(ROW)};
#undef ROW

const swp_figure_row *swp_target_figure_row(swp_target_figure figure)
{
    return &rows[figure];
}

bool swp_target_figure_is_limit(swp_target_figure figure)
{
    return figure >= SWP_TARGET_VMCNT;
}

bool swp_target_is_file(const swp_target *target)
{
    return target != swp_target_find(target->name);
}

int64_t swp_target_value_of(const swp_target *target, swp_target_figure figure)
{
    return target->figures[figure].value;
}

static void put_quoted(swp_text *text, const char *words)
{
    swp_text_add(text, "\"", 1);
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            swp_text_add(text, "\\", 1);
        swp_text_add(text, words, 1);
    }
    swp_text_add(text, "\"", 1);
}

static void put_figure(swp_text *text, const swp_target *target, swp_target_figure figure,
                       const char **section)
{
    const swp_figure_row *row = &rows[figure];
    const swp_target_number *number = &target->figures[figure];
    if (!number->stated)
        return;
    if (!*section || strcmp(*section, row->section) != 0)
        swp_text_format(text, "%s:\n", row->section);
    *section = row->section;
    swp_text_format(text, "  %s: {value: %lld, source: ", row->key, (long long)number->value);
    put_quoted(text, number->source ? number->source : "assumed");
    swp_text_add(text, "}\n", 2);
}

swp_status swp_target_write_yaml(swp_context *ctx, const swp_target *target, char **out,
                                 size_t *length)
{
    SWP_REQUIRE(ctx, ctx && target && out);
    swp_text text = {.ctx = ctx};
    const char *section = NULL;
    swp_text_format(&text, "swp: 1\nlike: %s\nmeaning: ", target->name);
    put_quoted(&text, target->meaning);
    swp_text_add(&text, "\n", 1);
    for (swp_target_figure f = 0; f < SWP_TARGET_FIGURE_COUNT; f++)
        put_figure(&text, target, f, &section);
    return swp_text_end(&text, out, length);
}
