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
static swp_status sum_of(swp_context *ctx, const swp_ptx_mbarrier *mbarrier, swp_ptx_sum *out)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    *out = (swp_ptx_sum){
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
    swp_ptx_sum sum;
    SWP_TRY(sum_of(run->ctx, mbarrier, &sum));
    *has = false;
    for (size_t i = 0; i < run->sums->count && !*has; i++)
        *has = run->sums->items[i].bytes == sum.bytes &&
               swp_ptx_have_same_copies(&run->sums->items[i], &sum);
    return SWP_OK;
}

/* --- sizes --- */

int64_t swp_ptx_box_size(const swp_ptx_sums *sums, uint64_t map)
{
    const size_t at = swp_ptx_index_of_map(&sums->sizes, map);
    return at < sums->sizes.count ? sums->sizes.items[at].bytes : UNKNOWN;
}

/* What follows of each map by itself, now that another phase has said something; `bad`: of some what no box can be. */
static swp_status find_sizes(const swp_ptx_run *run, const swp_ptx_sums *sums, int64_t *bytes,
                             bool *bad)
{
    *bad = false;
    for (size_t i = 0; i < sums->sizes.count && !*bad; i++) {
        swp_ptx_size *size = &sums->sizes.items[i];
        const swp_ptx_sum one = {.maps = &size->map, .count = 1};
        bool exact = true;
        bytes[i] = size->bytes;
        if (size->bytes == UNKNOWN)
            SWP_TRY(swp_ptx_follow_bytes(run->ctx, sums, &one, &bytes[i], &exact));
        *bad = bytes[i] != UNKNOWN &&
               (!exact || bytes[i] < SWP_PTX_COPY_UNIT || bytes[i] % SWP_PTX_COPY_UNIT);
    }
    return SWP_OK;
}

/* Keeps what a phase says; `bad`: with it the boxes of some map would be none. */
static swp_status push_sum(swp_ptx_run *run, const swp_ptx_sum *sum, bool *bad)
{
    swp_ptx_sums *sums = run->sums;
    swp_ptx_sizes *sizes = &sums->sizes;
    int64_t *bytes = NULL;
    for (size_t i = 0; i < sum->count; i++)
        if (swp_ptx_index_of_map(sizes, sum->maps[i]) == sizes->count)
            SWP_TRY(SWP_PUSH(
                run->outer, sizes,
                ((swp_ptx_size){.map = sum->maps[i], .bytes = UNKNOWN, .guess = UNKNOWN})));
    SWP_TRY(SWP_PUSH(run->outer, sums, *sum));
    SWP_TRY(SWP_TAKE(run->outer, sum->count, &sums->items[sums->count - 1].maps));
    if (sum->count)
        memcpy(sums->items[sums->count - 1].maps, sum->maps, sum->count * sizeof *sum->maps);
    SWP_TRY(SWP_TAKE(run->ctx, sizes->count, &bytes));
    SWP_TRY(find_sizes(run, sums, bytes, bad));
    if (*bad || run->elsewhere) {
        sums->count--;
        return SWP_OK;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        const swp_ptx_size *size = &sizes->items[i];
        const bool settled =
            size->guess != UNKNOWN && size->bytes == UNKNOWN && bytes[i] != UNKNOWN;
        sums->settled |= settled;
        sums->changed |= settled && size->guess != bytes[i];
        sizes->items[i].bytes = bytes[i];
    }
    return SWP_OK;
}

swp_status swp_ptx_copy_sums(swp_context *ctx, swp_ptx_sums *sums)
{
    const swp_ptx_sums of = *sums;
    sums->items = NULL;
    sums->count = sums->capacity = 0;
    sums->sizes = (swp_ptx_sizes){0};
    for (size_t i = 0; i < of.count; i++)
        SWP_TRY(SWP_PUSH(ctx, sums, of.items[i]));
    for (size_t i = 0; i < of.sizes.count; i++)
        SWP_TRY(SWP_PUSH(ctx, &sums->sizes, of.sizes.items[i]));
    return SWP_OK;
}

int64_t swp_ptx_box_guess(const swp_ptx_run *run, uint64_t map)
{
    const swp_ptx_sizes *sizes = &run->sums->sizes;
    const size_t at = swp_ptx_index_of_map(sizes, map);
    const bool holds = at < sizes->count && sizes->items[at].places == run->places->count;
    return holds ? sizes->items[at].guess : UNKNOWN;
}

void swp_ptx_guess_box(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, const swp_ptx_copy *copy)
{
    swp_ptx_sizes *sizes = &run->sums->sizes;
    const size_t at = swp_ptx_index_of_map(sizes, copy->map);
    if (at == sizes->count || mbarrier->computed)
        return;
    const swp_ptx_size before = sizes->items[at];
    const bool differs = before.guess != UNKNOWN && before.guess != copy->bytes;
    run->sums->changed |= differs && before.places != run->places->count;
    if (differs && before.places == run->places->count)
        swp_ptx_report_unknown(
            run, mbarrier->expect_insn,
            "how many bytes each of the copies of a phase brings cannot be told: "
            "by the room that there is, not as many as in another phase",
            "state what the boxes hold (--box), or let each copy have a phase of its own");
    sizes->items[at].guess = copy->bytes;
    sizes->items[at].places = run->places->count;
}

/* Whether it was said before, and so is said in this run, too. */
static bool is_said(swp_ptx_sums *sums, const swp_ptx_sum *sum)
{
    bool said = false;
    for (size_t i = 0; i < sums->count && !said; i++) {
        said = !sums->items[i].stated && sums->items[i].bytes == sum->bytes &&
               swp_ptx_have_same_copies(&sums->items[i], sum) &&
               (sum->computed || !sums->items[i].computed);
        if (said)
            sums->items[i].run = sums->run;
    }
    return said;
}

swp_status swp_ptx_state_boxes(swp_context *ctx, swp_ptx_sums *sums, const swp_audit_launch *launch)
{
    for (size_t i = 0; i < launch->box_count; i++) {
        const swp_audit_box *box = &launch->boxes[i];
        swp_ptx_sum sum = {.count = 1, .bytes = box->bytes, .insn = -1, .stated = box};
        SWP_TRY(SWP_TAKE(ctx, 1, &sum.maps));
        sum.maps[0] = swp_ptx_address_of_param(box->param, box->byte);
        SWP_TRY(SWP_PUSH(ctx, sums, sum));
        SWP_TRY(
            SWP_PUSH(ctx, &sums->sizes,
                     ((swp_ptx_size){.map = sum.maps[0], .bytes = box->bytes, .guess = UNKNOWN})));
    }
    return SWP_OK;
}

bool swp_ptx_is_copied(const swp_ptx_sums *sums, const swp_ptx_sum *stated)
{
    bool copied = false;
    for (size_t i = 0; i < sums->count; i++)
        copied |= !sums->items[i].stated && swp_ptx_share_map(&sums->items[i], stated);
    return copied;
}

swp_status swp_ptx_add_sum(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_sum sum;
    bool agrees = false;
    bool bad = false;
    SWP_TRY(sum_of(run->ctx, mbarrier, &sum));
    sum.run = run->sums->run;
    const int64_t least = SWP_PTX_COPY_UNIT * (int64_t)sum.count;
    const bool possible =
        sum.count ? sum.bytes >= least && sum.bytes % SWP_PTX_COPY_UNIT == 0 : sum.bytes == 0;
    /* Of a phase that cannot be right by itself boxes.c says so. */
    if (!possible || is_said(run->sums, &sum))
        return SWP_OK;
    /* For another launch a host may make other boxes than those that are stated. */
    if (run->elsewhere && swp_ptx_stated_bytes(run->sums, &sum) != UNKNOWN)
        return SWP_OK;
    SWP_TRY(swp_ptx_check_sum(run, &sum, &agrees));
    if (agrees)
        SWP_TRY(push_sum(run, &sum, &bad));
    return bad ? swp_ptx_report_size(run, &sum) : SWP_OK;
}
