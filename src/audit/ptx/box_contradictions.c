/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a phase expects can be true together with what others have said of the boxes, and if not, in what words. */
#include "audit/ptx/box_equations.h"

#include "base/text.h"

#include <inttypes.h>

#define UNKNOWN SWP_PTX_UNKNOWN_SIZE

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

/* The last expectation that says something of the same maps, or itself: there is none. */
static const swp_ptx_sum *related_to(const swp_ptx_sums *sums, const swp_ptx_sum *sum)
{
    for (size_t i = sums->count; i-- > 0;)
        if (!sums->items[i].computed && swp_ptx_share_map(&sums->items[i], sum))
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

swp_status swp_ptx_report_size(swp_ptx_run *run, const swp_ptx_sum *sum)
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

swp_status swp_ptx_check_sum(swp_ptx_run *run, const swp_ptx_sum *sum, bool *agrees)
{
    const swp_ptx_sums *sums = run->sums;
    int64_t implied = UNKNOWN;
    bool exact = true;
    const int64_t stated = swp_ptx_stated_bytes(sums, sum);
    *agrees = false;
    if (stated != UNKNOWN && stated != sum->bytes)
        return report_stated(run, sum, stated);
    const swp_ptx_sum *other = NULL;
    for (size_t i = 0; i < sums->count; i++)
        if (!sums->items[i].stated && swp_ptx_contradict(&sums->items[i], sum) &&
            (!other || is_of_one_launch(run, &sums->items[i])))
            other = &sums->items[i];
    if (other)
        return report_pair(run, sum, other);
    if (!sum->computed)
        SWP_TRY(swp_ptx_follow_bytes(run->ctx, sums, sum, &implied, &exact));
    *agrees = implied == UNKNOWN || (exact && implied == sum->bytes);
    return *agrees ? SWP_OK : report_implied(run, sum, implied);
}
