/* SPDX-License-Identifier: Apache-2.0 */
/* Where a target keeps each of its figures, and all of them as a file. */
#include "target/figures.h"

#include "base/names.h"
#include "base/require.h"
#include "base/text.h"

#include <string.h>

#define ROW(figure, section, key, least, meaning) {#section, #key, least},
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

static int *cost_of(swp_loop_costs *costs, swp_target_figure figure)
{
    int *const places[] = {[SWP_TARGET_LOAD_LATENCY] = &costs->load_latency,
                           [SWP_TARGET_LOAD_BYTES] = &costs->load_bytes,
                           [SWP_TARGET_SHARED_LATENCY] = &costs->shared_latency,
                           [SWP_TARGET_SHARED_BYTES] = &costs->shared_bytes,
                           [SWP_TARGET_MMA_LATENCY] = &costs->mma_latency,
                           [SWP_TARGET_MMA_PRODUCTS] = &costs->mma_products,
                           [SWP_TARGET_VECTOR_LATENCY] = &costs->valu_latency,
                           [SWP_TARGET_VECTOR_LANES] = &costs->valu_lanes,
                           [SWP_TARGET_EXP_LANES] = &costs->exp_lanes};
    return figure < SWP_COUNT_OF(places) ? places[figure] : NULL;
}

/* Of what is no 64-bit number. */
static int *limit_of(swp_target *target, swp_target_figure figure)
{
    switch (figure) {
    case SWP_TARGET_VMCNT:
        return &target->vm_max;
    case SWP_TARGET_LGKMCNT:
        return &target->lgkm_max;
    case SWP_TARGET_LANE_REGISTERS:
        return &target->lane_registers;
    default:
        return &target->register_file;
    }
}

void swp_target_set_figure(swp_target *target, swp_loop_costs *costs, swp_target_figure figure,
                           int value)
{
    if (!swp_target_figure_is_limit(figure))
        *cost_of(costs, figure) = value;
    else if (figure == SWP_TARGET_GROUP_BYTES)
        target->shared_bytes = value;
    else
        *limit_of(target, figure) = value;
}

bool swp_target_figure_of(const swp_target *target, swp_target_figure figure, int64_t *value)
{
    SWP_REQUIRE_OR(false, target && value && figure < SWP_TARGET_FIGURE_COUNT);
    swp_target copy = *target;
    if (!swp_target_figure_is_limit(figure)) {
        if (!target->loop)
            return false;
        swp_loop_costs costs = *target->loop;
        *value = *cost_of(&costs, figure);
        return true;
    }
    *value = figure == SWP_TARGET_GROUP_BYTES ? target->shared_bytes : *limit_of(&copy, figure);
    return *value != SWP_MOST_ACCESSES;
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
    int64_t value = 0;
    if (!swp_target_figure_of(target, figure, &value))
        return;
    if (!*section || strcmp(*section, row->section) != 0)
        swp_text_format(text, "%s:\n", row->section);
    *section = row->section;
    swp_text_format(text, "  %s: {value: %lld, source: ", row->key, (long long)value);
    put_quoted(text, target->sources[figure] ? target->sources[figure] : "assumed");
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
