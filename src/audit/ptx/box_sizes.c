/* SPDX-License-Identifier: Apache-2.0 */
/* What phases say of the sizes of boxes, as linear equations that all runs of a kernel have in common. */
#include "audit/ptx/box_sizes.h"

#include "audit/ptx/launch.h"
#include "audit/ptx/linear_system.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes, where that does not follow: what does may be any other number, and then contradicts. */
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

/* Whether all of one's copies are the other's, too. */
static bool is_part(const swp_ptx_sum *part, const swp_ptx_sum *whole)
{
    size_t found = 0;
    for (size_t i = 0; i < whole->count && found < part->count; i++)
        found += whole->maps[i] == part->maps[found];
    return found == part->count;
}

static bool has_same_copies(const swp_ptx_sum *a, const swp_ptx_sum *b)
{
    return a->count == b->count && is_part(a, b);
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

swp_status swp_ptx_has_all_copies(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier,
                                  bool *has)
{
    swp_ptx_sum sum;
    SWP_TRY(sum_of(run->ctx, mbarrier, &sum));
    *has = false;
    for (size_t i = 0; i < run->sums->count && !*has; i++)
        *has =
            run->sums->items[i].bytes == sum.bytes && has_same_copies(&run->sums->items[i], &sum);
    return SWP_OK;
}

/* --- what follows --- */

static size_t index_of(const swp_ptx_sizes *sizes, uint64_t map)
{
    size_t at = 0;
    while (at < sizes->count && sizes->items[at].map != map)
        at++;
    return at;
}

/* How often each map is copied; false: some map stands in no equation. */
static bool count_copies(const swp_ptx_sizes *sizes, const swp_ptx_sum *sum, int64_t *coefficients)
{
    memset(coefficients, 0, sizes->count * sizeof *coefficients);
    for (size_t i = 0; i < sum->count; i++) {
        const size_t map = index_of(sizes, sum->maps[i]);
        if (map == sizes->count)
            return false;
        coefficients[map]++;
    }
    return true;
}

/*
 * How many bytes copies bring together, where that follows from what has been said of others. `exact`:
 * it is a number of whole bytes.
 */
static swp_status follow_from(swp_context *ctx, const swp_ptx_sums *sums, const swp_ptx_sum *asked,
                              int64_t *bytes, bool *exact)
{
    swp_ptx_linear_system system;
    int64_t *coefficients = NULL;
    *bytes = UNKNOWN;
    *exact = true;
    SWP_TRY(swp_ptx_open_linear(ctx, sums->sizes.count, sums->count, &system));
    SWP_TRY(SWP_TAKE(ctx, sums->sizes.count + 1, &coefficients));
    for (size_t i = 0; i < sums->count; i++)
        if (!sums->items[i].computed && count_copies(&sums->sizes, &sums->items[i], coefficients))
            swp_ptx_add_linear(&system, coefficients, sums->items[i].bytes);
    if (!count_copies(&sums->sizes, asked, coefficients))
        return SWP_OK;
    const swp_ptx_implied implied = swp_ptx_solve_linear(&system, coefficients, bytes);
    *bytes = implied == SWP_PTX_NOT_IMPLIED ? UNKNOWN : *bytes;
    *exact = implied != SWP_PTX_IMPLIED_FRACTION;
    return SWP_OK;
}

/* --- sizes --- */

int64_t swp_ptx_box_size(const swp_ptx_sums *sums, uint64_t map)
{
    const size_t at = index_of(&sums->sizes, map);
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
            SWP_TRY(follow_from(run->ctx, sums, &one, &bytes[i], &exact));
        *bad = bytes[i] != UNKNOWN &&
               (!exact || bytes[i] < SWP_PTX_LEAST_COPY || bytes[i] % SWP_PTX_LEAST_COPY);
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
        if (index_of(sizes, sum->maps[i]) == sizes->count)
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
    const size_t at = index_of(sizes, map);
    const bool holds = at < sizes->count && sizes->items[at].places == run->places->count;
    return holds ? sizes->items[at].guess : UNKNOWN;
}

void swp_ptx_guess_box(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier, const swp_ptx_copy *copy)
{
    swp_ptx_sizes *sizes = &run->sums->sizes;
    const size_t at = index_of(sizes, copy->map);
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

/* --- contradictions --- */

/* Of an expectation that is computed nothing is said in another launch: it may be another one there. */
static void report(swp_ptx_run *run, const swp_ptx_sum *sum, const swp_ptx_sum *other, bool unsure,
                   const char *detail)
{
    const swp_ptx_finding finding = {.kind = SWP_ARRIVALS,
                                     .at = sum->insn,
                                     .other = other->insn,
                                     .detail = detail,
                                     .hint = "expect what the boxes of the tensor maps hold",
                                     .unsure = unsure};
    const bool computed = sum->computed || other->computed;
    if (!run->elsewhere)
        swp_ptx_report(run, finding);
    else if (!computed && !run->contradiction.detail)
        run->contradiction = finding;
}

/* Whether a host that gives each launch maps of its own cannot make two expectations agree. */
static bool is_of_one_launch(const swp_ptx_run *run, const swp_ptx_sum *other)
{
    return !other->computed && other->run == run->sums->run;
}

static bool shares_map(const swp_ptx_sum *a, const swp_ptx_sum *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (a->maps[i] == b->maps[k])
                return true;
    return false;
}

/* The last expectation that says something of the same maps, or itself: there is none. */
static const swp_ptx_sum *related_to(const swp_ptx_sums *sums, const swp_ptx_sum *sum)
{
    for (size_t i = sums->count; i-- > 0;)
        if (!sums->items[i].computed && shares_map(&sums->items[i], sum))
            return &sums->items[i];
    return sum;
}

/* Whether what follows from all that was said follows from this launch. */
static bool all_are_of_one_launch(const swp_ptx_run *run)
{
    for (size_t i = 0; i < run->sums->count; i++)
        if (!run->sums->items[i].computed && !run->sums->items[i].stated &&
            run->sums->items[i].run != run->sums->run)
            return false;
    return true;
}

/* Empty: no box is stated. */
static swp_status name_stated(const swp_ptx_run *run, char **out)
{
    swp_text text = {.ctx = run->outer};
    const char *before = "";
    for (size_t i = 0; i < run->sums->count; i++) {
        const swp_audit_box *box = run->sums->items[i].stated;
        if (!box)
            continue;
        swp_text_format(&text, "%sparameter %d", before, box->param);
        if (box->byte)
            swp_text_format(&text, " at byte %d", box->byte);
        swp_text_format(&text, ": %" PRId64 " bytes", box->bytes);
        before = ", ";
    }
    return swp_text_end(&text, out, NULL);
}

static swp_status report_implied(swp_ptx_run *run, const swp_ptx_sum *sum, int64_t bytes)
{
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "by what other phases expect of the same tensor maps%s%s%s the copies of "
                       "this phase bring %" PRId64 " bytes together; it expects %" PRId64,
                       *stated ? ", and the boxes that are stated (" : "", stated,
                       *stated ? ")," : "", bytes, sum->bytes));
    report(run, sum, related_to(run->sums, sum), sum->computed || !all_are_of_one_launch(run),
           text);
    return SWP_OK;
}

static swp_status report_pair(swp_ptx_run *run, const swp_ptx_sum *sum, const swp_ptx_sum *other)
{
    char *text = NULL;
    SWP_TRY(swp_format(run->outer, &text,
                       "the copies of these two phases cannot both bring the bytes that are "
                       "expected of them: %" PRId64 " of %d here, %" PRId64 " of %d there",
                       sum->bytes, (int)sum->count, other->bytes, (int)other->count));
    report(run, sum, other, sum->computed || !is_of_one_launch(run, other), text);
    return SWP_OK;
}

static swp_status report_size(swp_ptx_run *run, const swp_ptx_sum *sum)
{
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "the %" PRId64 " bytes that are expected here of %d copies, and what other "
                       "phases expect of the same tensor maps%s%s%s, leave no multiple of 16 bytes "
                       "for the box of some map",
                       sum->bytes, (int)sum->count,
                       *stated ? ", and the boxes that are stated (" : "", stated,
                       *stated ? ")" : ""));
    report(run, sum, related_to(run->sums, sum), sum->computed || !all_are_of_one_launch(run),
           text);
    return SWP_OK;
}

/* What copies of boxes that are all stated bring together. */
static int64_t stated_bytes(const swp_ptx_sums *sums, const swp_ptx_sum *sum)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < sum->count; i++) {
        size_t at = 0;
        while (at < sums->count &&
               (!sums->items[at].stated || *sums->items[at].maps != sum->maps[i]))
            at++;
        if (at == sums->count)
            return UNKNOWN;
        bytes += sums->items[at].bytes;
    }
    return sum->count ? bytes : UNKNOWN;
}

static swp_status report_stated(swp_ptx_run *run, const swp_ptx_sum *sum, int64_t bytes)
{
    static const swp_ptx_sum nothing = {.insn = -1};
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "by the boxes that are stated (%s) the copies of this phase bring %" PRId64
                       " bytes together; it expects %" PRId64,
                       stated, bytes, sum->bytes));
    report(run, sum, &nothing, sum->computed, text);
    return SWP_OK;
}

/* Whether a phase agrees with each other one, and with all of them. */
static swp_status check(swp_ptx_run *run, const swp_ptx_sum *sum, bool *agrees)
{
    const swp_ptx_sums *sums = run->sums;
    int64_t implied = UNKNOWN;
    bool exact = true;
    const int64_t stated = stated_bytes(sums, sum);
    *agrees = false;
    if (stated != UNKNOWN && stated != sum->bytes)
        return report_stated(run, sum, stated);
    const swp_ptx_sum *other = NULL;
    for (size_t i = 0; i < sums->count; i++)
        if (!sums->items[i].stated && contradicts(&sums->items[i], sum) &&
            (!other || is_of_one_launch(run, &sums->items[i])))
            other = &sums->items[i];
    if (other)
        return report_pair(run, sum, other);
    if (!sum->computed)
        SWP_TRY(follow_from(run->ctx, sums, sum, &implied, &exact));
    *agrees = implied == UNKNOWN || (exact && implied == sum->bytes);
    return *agrees ? SWP_OK : report_implied(run, sum, implied);
}

/* Whether it was said before, and so is said in this run, too. */
static bool is_said(swp_ptx_sums *sums, const swp_ptx_sum *sum)
{
    bool said = false;
    for (size_t i = 0; i < sums->count && !said; i++) {
        said = !sums->items[i].stated && sums->items[i].bytes == sum->bytes &&
               has_same_copies(&sums->items[i], sum) && (sum->computed || !sums->items[i].computed);
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
        copied |= !sums->items[i].stated && shares_map(&sums->items[i], stated);
    return copied;
}

swp_status swp_ptx_add_sum(swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier)
{
    swp_ptx_sum sum;
    bool agrees = false;
    bool bad = false;
    SWP_TRY(sum_of(run->ctx, mbarrier, &sum));
    sum.run = run->sums->run;
    const int64_t least = SWP_PTX_LEAST_COPY * (int64_t)sum.count;
    const bool possible =
        sum.count ? sum.bytes >= least && sum.bytes % SWP_PTX_LEAST_COPY == 0 : sum.bytes == 0;
    /* Of a phase that cannot be right by itself boxes.c says so. */
    if (!possible || is_said(run->sums, &sum))
        return SWP_OK;
    /* For another launch a host may make other boxes than those that are stated. */
    if (run->elsewhere && stated_bytes(run->sums, &sum) != UNKNOWN)
        return SWP_OK;
    SWP_TRY(check(run, &sum, &agrees));
    if (agrees)
        SWP_TRY(push_sum(run, &sum, &bad));
    return bad ? report_size(run, &sum) : SWP_OK;
}
