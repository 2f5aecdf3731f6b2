/* SPDX-License-Identifier: Apache-2.0 */
/* What phases say of the sizes of boxes, as linear equations that all runs of a kernel have in common. */
#include "audit/ptx/box_sizes.h"

#include "audit/ptx/launch.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN SWP_PTX_UNKNOWN_SIZE

static int compare_maps(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* The maps of the copies of a phase, sorted, with what it expects of them beside copies that say themselves what they bring. */
static swp_status equation_of(swp_context *ctx, const swp_ptx_mbarrier *mbarrier,
                              swp_ptx_equation *out)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    *out = (swp_ptx_equation){
        .bytes = mbarrier->expected, .insn = mbarrier->expect_insn, .computed = mbarrier->computed};
    SWP_TRY(SWP_TAKE(ctx, copies->count, &out->maps));
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].is_tensor)
            out->maps[out->count++] = copies->items[i].map;
        else
            out->bytes -= copies->items[i].bytes;
    if (out->count)
        qsort(out->maps, out->count, sizeof *out->maps, compare_maps);
    return SWP_OK;
}

swp_status swp_ptx_has_all_copies(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier,
                                  bool *has)
{
    swp_ptx_equation equation;
    SWP_TRY(equation_of(run->ctx, mbarrier, &equation));
    *has = false;
    for (size_t i = 0; i < run->equations->count && !*has; i++)
        *has = run->equations->items[i].bytes == equation.bytes &&
               swp_ptx_have_same_copies(&run->equations->items[i], &equation);
    return SWP_OK;
}

/* --- sizes --- */

int64_t swp_ptx_box_size(const swp_ptx_equations *equations, uint64_t map)
{
    const size_t at = swp_ptx_index_of_map(&equations->sizes, map);
    return at < equations->sizes.count ? equations->sizes.items[at].bytes : UNKNOWN;
}

int64_t swp_ptx_use_box(swp_ptx_equations *equations, uint64_t map)
{
    for (size_t i = 0; i < equations->count; i++)
        equations->items[i].stores |=
            equations->items[i].stated && equations->items[i].maps[0] == map;
    return swp_ptx_box_size(equations, map);
}

/* What follows of each map by itself, now that another phase has said something; `bad`: of some what no box can be. */
static swp_status find_sizes(const swp_ptx_run *run, const swp_ptx_equations *equations,
                             int64_t *bytes, bool *bad)
{
    *bad = false;
    for (size_t i = 0; i < equations->sizes.count && !*bad; i++) {
        swp_ptx_size *size = &equations->sizes.items[i];
        const swp_ptx_equation one = {.maps = &size->map, .count = 1};
        bool exact = true;
        bytes[i] = size->bytes;
        if (size->bytes == UNKNOWN)
            SWP_TRY(swp_ptx_follow_bytes(run->ctx, equations, &one, &bytes[i], &exact));
        *bad = bytes[i] != UNKNOWN &&
               (!exact || bytes[i] < SWP_PTX_COPY_UNIT || bytes[i] % SWP_PTX_COPY_UNIT);
    }
    return SWP_OK;
}

/* Keeps what a phase says; `bad`: with it the boxes of some map would be none. */
static swp_status push_equation(swp_ptx_run *run, const swp_ptx_equation *equation, bool *bad)
{
    swp_ptx_equations *equations = run->equations;
    swp_ptx_sizes *sizes = &equations->sizes;
    int64_t *bytes = NULL;
    for (size_t i = 0; i < equation->count; i++)
        if (swp_ptx_index_of_map(sizes, equation->maps[i]) == sizes->count)
            SWP_TRY(SWP_PUSH(
                run->outer, sizes,
                ((swp_ptx_size){.map = equation->maps[i], .bytes = UNKNOWN, .guess = UNKNOWN})));
    SWP_TRY(SWP_PUSH(run->outer, equations, *equation));
    SWP_TRY(SWP_TAKE(run->outer, equation->count, &equations->items[equations->count - 1].maps));
    if (equation->count)
        memcpy(equations->items[equations->count - 1].maps, equation->maps,
               equation->count * sizeof *equation->maps);
    SWP_TRY(SWP_TAKE(run->ctx, sizes->count, &bytes));
    SWP_TRY(find_sizes(run, equations, bytes, bad));
    if (*bad || run->elsewhere) {
        equations->count--;
        return SWP_OK;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        const swp_ptx_size *size = &sizes->items[i];
        const bool settled =
            size->guess != UNKNOWN && size->bytes == UNKNOWN && bytes[i] != UNKNOWN;
        equations->settled |= settled;
        equations->changed |= settled && size->guess != bytes[i];
        sizes->items[i].bytes = bytes[i];
    }
    return SWP_OK;
}

swp_status swp_ptx_copy_equations(swp_context *ctx, swp_ptx_equations *equations)
{
    const swp_ptx_equations of = *equations;
    equations->items = NULL;
    equations->count = equations->capacity = 0;
    equations->sizes = (swp_ptx_sizes){0};
    for (size_t i = 0; i < of.count; i++)
        SWP_TRY(SWP_PUSH(ctx, equations, of.items[i]));
    for (size_t i = 0; i < of.sizes.count; i++)
        SWP_TRY(SWP_PUSH(ctx, &equations->sizes, of.sizes.items[i]));
    return SWP_OK;
}

int64_t swp_ptx_box_guess(const swp_ptx_run *run, uint64_t map)
{
    const swp_ptx_sizes *sizes = &run->equations->sizes;
    const size_t at = swp_ptx_index_of_map(sizes, map);
    const bool holds = at < sizes->count && sizes->items[at].places == run->places->count;
    return holds ? sizes->items[at].guess : UNKNOWN;
}

void swp_ptx_guess_box(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, const swp_ptx_copy *copy)
{
    swp_ptx_sizes *sizes = &run->equations->sizes;
    const size_t at = swp_ptx_index_of_map(sizes, copy->map);
    if (at == sizes->count || mbarrier->computed)
        return;
    const swp_ptx_size before = sizes->items[at];
    const bool differs = before.guess != UNKNOWN && before.guess != copy->bytes;
    run->equations->changed |= differs && before.places != run->places->count;
    if (differs && before.places == run->places->count)
        swp_ptx_report_unknown(
            run, mbarrier->expect_insn,
            "how many bytes each of the copies of a phase brings cannot be told: "
            "by the room that there is, not as many as in another phase",
            "state what the boxes hold (--box), or let each copy have a phase of its own");
    sizes->items[at].guess = copy->bytes;
    sizes->items[at].places = run->places->count;
}

swp_status swp_ptx_take_guess(swp_context *ctx, swp_ptx_equations *equations, uint64_t map,
                              int64_t bytes, size_t places)
{
    swp_ptx_sizes *sizes = &equations->sizes;
    const size_t at = swp_ptx_index_of_map(sizes, map);
    if (at == sizes->count)
        SWP_TRY(SWP_PUSH(ctx, sizes, ((swp_ptx_size){.map = map, .bytes = UNKNOWN})));
    sizes->items[at].guess = bytes;
    sizes->items[at].places = places;
    return SWP_OK;
}

/* Whether it was said before, and so is said in this run, too. */
static bool is_said(swp_ptx_equations *equations, const swp_ptx_equation *equation)
{
    bool said = false;
    for (size_t i = 0; i < equations->count && !said; i++) {
        said = !equations->items[i].stated && equations->items[i].bytes == equation->bytes &&
               swp_ptx_have_same_copies(&equations->items[i], equation) &&
               (equation->computed || !equations->items[i].computed);
        if (said)
            equations->items[i].run = equations->run;
    }
    return said;
}

swp_status swp_ptx_state_boxes(swp_context *ctx, swp_ptx_equations *equations,
                               const swp_audit_launch *launch)
{
    for (size_t i = 0; i < launch->box_count; i++) {
        const swp_audit_box *box = &launch->boxes[i];
        swp_ptx_equation equation = {.count = 1, .bytes = box->bytes, .insn = -1, .stated = box};
        SWP_TRY(SWP_TAKE(ctx, 1, &equation.maps));
        equation.maps[0] = swp_ptx_address_of_param(box->param, box->byte);
        SWP_TRY(SWP_PUSH(ctx, equations, equation));
        SWP_TRY(SWP_PUSH(
            ctx, &equations->sizes,
            ((swp_ptx_size){.map = equation.maps[0], .bytes = box->bytes, .guess = UNKNOWN})));
    }
    return SWP_OK;
}

bool swp_ptx_is_copied(const swp_ptx_equations *equations, const swp_ptx_equation *stated)
{
    bool copied = false;
    for (size_t i = 0; i < equations->count; i++)
        copied |= !equations->items[i].stated && swp_ptx_share_map(&equations->items[i], stated);
    return copied;
}

swp_status swp_ptx_add_equation(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_equation equation;
    bool agrees = false;
    bool bad = false;
    SWP_TRY(equation_of(run->ctx, mbarrier, &equation));
    equation.run = run->equations->run;
    const int64_t least = SWP_PTX_COPY_UNIT * (int64_t)equation.count;
    const bool possible = equation.count
                              ? equation.bytes >= least && equation.bytes % SWP_PTX_COPY_UNIT == 0
                              : equation.bytes == 0;
    /* Of a phase that cannot be right by itself boxes.c says so. */
    if (!possible || is_said(run->equations, &equation))
        return SWP_OK;
    /* For another launch a host may make other boxes than those that are stated. */
    if (run->elsewhere && swp_ptx_stated_bytes(run->equations, &equation) != UNKNOWN)
        return SWP_OK;
    SWP_TRY(swp_ptx_check_equation(run, &equation, &agrees));
    if (agrees)
        SWP_TRY(push_equation(run, &equation, &bad));
    return bad ? swp_ptx_report_size(run, &equation) : SWP_OK;
}
