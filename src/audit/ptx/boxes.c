/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes the copies of a phase bring: PTX does not show the boxes of tensor maps, but what a phase expects of them. */
#include "audit/ptx/run.h"

#include <stdlib.h>

enum { LEAST_COPY = 16 /* bytes: all copies are multiples of it */ };

static int compare_places(const void *a, const void *b)
{
    const int64_t first = ((const swp_ptx_copy *)a)->to;
    const int64_t second = ((const swp_ptx_copy *)b)->to;
    return (first > second) - (first < second);
}

/* How far a box may reach: to the next place that copies of the kernel are known to write. */
static int64_t room_of(const swp_ptx_run *run, const swp_ptx_copy *copy)
{
    int64_t end = INT64_MAX;
    for (size_t i = 0; i < run->places->count; i++)
        if (run->places->items[i] > copy->to && run->places->items[i] < end)
            end = run->places->items[i];
    return end - copy->to;
}

typedef struct boxes {
    int64_t count;
    int64_t bytes; /* of all of them */
    bool same;     /* all have one map */
} boxes;

static boxes boxes_of(const swp_ptx_mbarrier *mbarrier)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    boxes b = {.bytes = mbarrier->expected, .same = true};
    for (size_t i = 0; i < copies->count; i++) {
        b.bytes -= copies->items[i].bytes > 0 ? copies->items[i].bytes : 0;
        b.count += copies->items[i].bytes < 0;
        b.same &= copies->items[i].map == copies->items[0].map;
    }
    return b;
}

static void share_equally(swp_ptx_copies *copies, const boxes *b)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].bytes < 0)
            copies->items[i].bytes = b->bytes / b->count;
}

/* Each box but the last one fills its room; false: they cannot. */
static bool fill_rooms(const swp_ptx_run *run, swp_ptx_copies *copies, const boxes *b)
{
    int64_t left = b->bytes;
    swp_ptx_copy *last = NULL;
    for (size_t i = 0; i < copies->count; i++) {
        if (copies->items[i].bytes >= 0)
            continue;
        left -= last ? room_of(run, last) : 0;
        last = &copies->items[i];
    }
    if (!last || left < LEAST_COPY || left > room_of(run, last))
        return false;
    for (size_t i = 0; i < copies->count; i++)
        if (copies->items[i].bytes < 0)
            copies->items[i].bytes =
                &copies->items[i] == last ? left : room_of(run, &copies->items[i]);
    return true;
}

/* So little that it is in nobody's way. */
static void make_least(swp_ptx_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        copies->items[i].bytes = LEAST_COPY;
}

static bool fit_equally(const swp_ptx_run *run, const swp_ptx_copies *copies, const boxes *b)
{
    bool fits = b->bytes % (LEAST_COPY * b->count) == 0;
    for (size_t i = 0; i < copies->count; i++)
        fits &=
            copies->items[i].bytes >= 0 || b->bytes / b->count <= room_of(run, &copies->items[i]);
    return fits;
}

/*
 * The size of a box is in its tensor map. So boxes of one map share the bytes equally; else each fills its room, and the
 * last one has what is left, or where that cannot be all share equally.
 */
static void share_bytes(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    const boxes b = boxes_of(mbarrier);
    const int last = copies->items[copies->count - 1].insn;
    qsort(copies->items, copies->count, sizeof *copies->items, compare_places);
    if (run->is_dry)
        make_least(copies);
    else if (b.count == 0 ? b.bytes != 0
                          : b.bytes < LEAST_COPY * b.count || b.bytes % LEAST_COPY ||
                                (b.same && b.bytes % (LEAST_COPY * b.count)))
        swp_ptx_report(run,
                       (swp_ptx_finding){
                           .kind = SWP_ARRIVALS,
                           .at = mbarrier->expect_insn,
                           .other = last,
                           .detail = "the copies of a phase cannot bring the bytes that it expects",
                           .hint = "expect what the copies bring, in multiples of 16 bytes"});
    else if (b.count && (b.same || b.count == 1))
        share_equally(copies, &b);
    else if (b.count && !fill_rooms(run, copies, &b)) {
        if (fit_equally(run, copies, &b))
            share_equally(copies, &b);
        else
            swp_ptx_report_unknown(
                run, mbarrier->expect_insn,
                "how many bytes each of the copies of a phase brings cannot be told",
                "let each copy have an mbarrier, or a phase, of its own");
    }
}

static int compare_maps(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* Whether all of one's copies are the other's, too. */
static bool is_part(const swp_ptx_sum *part, const swp_ptx_sum *whole)
{
    size_t found = 0;
    for (size_t i = 0; i < whole->count && found < part->count; i++)
        found += whole->maps[i] == part->maps[found];
    return found == part->count;
}

/* The same copies bring the same bytes each time, and fewer of them fewer bytes. */
static bool contradicts(const swp_ptx_sum *a, const swp_ptx_sum *b)
{
    if (a->count > b->count)
        return contradicts(b, a);
    if (!is_part(a, b))
        return false;
    return a->count == b->count ? a->bytes != b->bytes : a->bytes >= b->bytes;
}

/* The maps of the copies of a phase, sorted, with what it expects of them. */
static swp_status sum_of(swp_context *ctx, const swp_ptx_mbarrier *mbarrier, swp_ptx_sum *out)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    *out = (swp_ptx_sum){
        .count = copies->count, .bytes = mbarrier->expected, .insn = mbarrier->expect_insn};
    SWP_TRY(SWP_TAKE(ctx, copies->count, &out->maps));
    for (size_t i = 0; i < copies->count; i++)
        out->maps[i] = copies->items[i].map;
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
        *has = run->sums->items[i].count == sum.count && run->sums->items[i].bytes == sum.bytes &&
               is_part(&run->sums->items[i], &sum);
    return SWP_OK;
}

static swp_status check_sum(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_sums *sums = run->sums;
    swp_ptx_sum sum;
    SWP_TRY(sum_of(run->outer, mbarrier, &sum));
    for (size_t i = 0; i < sums->count; i++) {
        if (contradicts(&sums->items[i], &sum))
            swp_ptx_report(
                run,
                (swp_ptx_finding){.kind = SWP_ARRIVALS,
                                  .at = sum.insn,
                                  .other = sums->items[i].insn,
                                  .detail = "the copies of these two phases cannot both bring the "
                                            "bytes that are expected of them",
                                  .hint = "expect what the boxes of the tensor maps hold"});
        if (sums->items[i].count == sum.count && is_part(&sums->items[i], &sum))
            return SWP_OK;
    }
    return SWP_PUSH(run->outer, sums, sum);
}

swp_status swp_ptx_size_boxes(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    SWP_TRY(check_sum(run, mbarrier));
    share_bytes(run, mbarrier);
    return SWP_OK;
}
