/* SPDX-License-Identifier: Apache-2.0 */
/* Counts how often each product is done, in the lists of COMPUTEs and in the grid. */
#include "verify/bodies/work.h"

/* Of each accumulator the COMPUTEs of a phase that add a tile to it. */
static swp_status count_products(const swp_findings *findings, swp_phase phase, int **products)
{
    const swp_model *model = findings->model;
    SWP_TRY(SWP_TAKE(findings->ctx, (size_t)model->effects.accumulator_count, products));
    for (int i = 0; i < model->effects.lengths[phase]; i++) {
        const swp_effect *effect = &model->effects.entries[phase][i];
        if (effect->accumulator >= 0 && !effect->surplus)
            (*products)[effect->accumulator]++;
    }
    return SWP_OK;
}

static swp_status find_missing(swp_findings *findings, swp_phase phase, int tiles)
{
    const swp_model *model = findings->model;
    const swp_bodies_event end = {{SWP_EPILOGUE, model->effects.lengths[SWP_EPILOGUE]}, 0};
    int *products = NULL;
    SWP_TRY(count_products(findings, phase, &products));
    for (int a = 0; a < model->effects.accumulator_count; a++) {
        const swp_finding finding = {.kind = SWP_MISSING_WORK,
                                     .at = end,
                                     .site = SWP_SITE_ACCUMULATOR,
                                     .place = a,
                                     .wanted = SWP_NO_TILE};
        if (products[a] < tiles)
            return swp_bodies_findings_add(findings, &finding);
    }
    return SWP_OK;
}

static swp_status find_double(swp_findings *findings, swp_phase phase)
{
    const swp_model *model = findings->model;
    for (int i = 0; i < model->effects.lengths[phase]; i++) {
        const swp_effect *effect = &model->effects.entries[phase][i];
        const swp_finding finding = {.kind = SWP_DOUBLE_WORK,
                                     .at = {{phase, i}, 0},
                                     .site = SWP_SITE_ACCUMULATOR,
                                     .place = effect->accumulator,
                                     .wanted = SWP_NO_TILE};
        if (effect->surplus)
            SWP_TRY(swp_bodies_findings_add(findings, &finding));
    }
    return SWP_OK;
}

swp_status swp_bodies_count_work(swp_findings *findings)
{
    const swp_loop_shape *loop = &findings->model->loop;
    findings->n = loop->min_tiles;
    SWP_TRY(find_missing(findings, SWP_EPILOGUE, loop->min_tiles));
    SWP_TRY(find_double(findings, SWP_PROLOGUE));
    SWP_TRY(find_double(findings, SWP_EPILOGUE));
    if (loop->tiles_per_pass == 0)
        return SWP_OK;
    findings->n += loop->tiles_per_pass;
    SWP_TRY(find_missing(findings, SWP_KERNEL, loop->tiles_per_pass));
    return find_double(findings, SWP_KERNEL);
}
