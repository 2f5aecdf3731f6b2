/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes each copy of a phase brings, where box_sizes.c does not know: as many as there is room for. */
#include "audit/ptx/box_sizes.h"

#include <stdlib.h>

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

/* Copies of which it is not known what they bring. */
typedef struct boxes {
    int64_t count;
    int64_t bytes; /* of all of them */
    uint64_t map;  /* of the first one… */
    bool same;     /* …and of all of them */
} boxes;

static boxes boxes_of(const swp_ptx_mbarrier *mbarrier)
{
    const swp_ptx_copies *copies = &mbarrier->copies;
    boxes b = {.bytes = mbarrier->expected, .same = true};
    for (size_t i = 0; i < copies->count; i++) {
        const swp_ptx_copy *copy = &copies->items[i];
        b.bytes -= copy->bytes > 0 ? copy->bytes : 0;
        if (copy->bytes >= 0)
            continue;
        b.map = b.count++ ? b.map : copy->map;
        b.same &= copy->map == b.map;
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
    if (!last || left < SWP_PTX_COPY_UNIT || left > room_of(run, last))
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
        copies->items[i].bytes = copies->items[i].certain = SWP_PTX_COPY_UNIT;
}

static bool fit_equally(const swp_ptx_run *run, const swp_ptx_copies *copies, const boxes *b)
{
    bool fits = b->bytes % (SWP_PTX_COPY_UNIT * b->count) == 0;
    for (size_t i = 0; i < copies->count; i++)
        fits &=
            copies->items[i].bytes >= 0 || b->bytes / b->count <= room_of(run, &copies->items[i]);
    return fits;
}

static void report_bytes(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, int last)
{
    swp_ptx_report(
        run, (swp_ptx_finding){.kind = SWP_ARRIVALS,
                               .at = mbarrier->expect_insn,
                               .other = last,
                               .unsure = mbarrier->computed,
                               .detail = "the copies of a phase cannot bring the bytes that it "
                                         "expects",
                               .hint = "expect what the copies bring, in multiples of 16 bytes",
                               .facts = swp_ptx_facts_of_phase(mbarrier),
                               .ends = true});
}

static bool cannot_be(const boxes *b)
{
    const int64_t least = SWP_PTX_COPY_UNIT * b->count;
    return b->count == 0
               ? b->bytes != 0
               : b->bytes < least || b->bytes % SWP_PTX_COPY_UNIT || (b->same && b->bytes % least);
}

static void take_sizes(const swp_ptx_run *run, swp_ptx_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++) {
        const int64_t bytes = swp_ptx_box_size(run->equations, copies->items[i].map);
        if (copies->items[i].bytes < 0 && bytes > 0)
            copies->items[i].bytes = bytes;
        copies->items[i].certain = copies->items[i].bytes > 0 ? copies->items[i].bytes : 0;
    }
}

/* As much as before; false: that is not known of all of them, or does not add up. */
static bool share_as_before(const swp_ptx_run *run, swp_ptx_copies *copies, const boxes *b)
{
    int64_t left = b->bytes;
    for (size_t i = 0; i < copies->count; i++) {
        const int64_t guess = swp_ptx_box_guess(run, copies->items[i].map);
        if (copies->items[i].bytes < 0 && guess < 0)
            return false;
        left -= copies->items[i].bytes < 0 ? guess : 0;
    }
    for (size_t i = 0; i < copies->count && left == 0; i++)
        if (copies->items[i].bytes < 0)
            copies->items[i].bytes = swp_ptx_box_guess(run, copies->items[i].map);
    return left == 0;
}

/*
 * Boxes of which it is not known what they bring: those of one map share the bytes equally; else each fills its room, and the
 * last one has what is left, or where that cannot be all share equally.
 */
static void share_bytes(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier, const boxes *b)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    if (share_as_before(run, copies, b))
        return;
    run->equations->guessed |= mbarrier->computed && !b->same;
    if (b->same || b->count == 1 || (!fill_rooms(run, copies, b) && fit_equally(run, copies, b)))
        share_equally(copies, b);
    for (size_t i = 0; i < copies->count; i++) {
        if (copies->items[i].bytes < 0)
            swp_ptx_report_unknown(
                run, mbarrier->expect_insn,
                "how many bytes each of the copies of a phase brings cannot be told",
                "state what the boxes hold (--box), or let each copy have a phase of its own");
        else if (!copies->items[i].certain)
            swp_ptx_guess_box(run, mbarrier, &copies->items[i]);
    }
}

/*
 * What a box brings however the bytes are shared. One that reached into the place of the next copy of the phase would race with
 * that: so the last one has at least what the rooms between them leave.
 */
static void find_certain(swp_ptx_copies *copies, const boxes *b)
{
    int64_t left = b->bytes;
    swp_ptx_copy *last = NULL;
    for (size_t i = 0; i < copies->count; i++) {
        swp_ptx_copy *copy = &copies->items[i];
        if (copy->certain)
            continue;
        copy->certain = b->same ? copy->bytes : SWP_PTX_COPY_UNIT;
        if (i + 1 < copies->count)
            left -= copy[1].to - copy->to;
        else
            last = copy;
    }
    if (last && left > last->certain)
        last->certain = left < last->bytes ? left : last->bytes;
}

swp_status swp_ptx_size_boxes(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_copies *copies = &mbarrier->copies;
    const int last = copies->items[copies->count - 1].insn;
    /* What is only taken from the room that there is says nothing before that is known. */
    if (!run->is_dry || !swp_ptx_guesses_bytes_of(run, mbarrier))
        SWP_TRY(swp_ptx_add_equation(run, mbarrier));
    qsort(copies->items, copies->count, sizeof *copies->items, compare_places);
    if (run->is_dry) {
        make_least(copies);
        return SWP_OK;
    }
    take_sizes(run, copies);
    const boxes b = boxes_of(mbarrier);
    if (cannot_be(&b)) {
        report_bytes(run, mbarrier, last);
    } else if (b.count) {
        share_bytes(run, mbarrier, &b);
        find_certain(copies, &b);
    }
    return SWP_OK;
}
