/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a phase expects can be true together with what others have said of the boxes, and if not, in what words. */
#include "audit/ptx/box_equations.h"
#include "audit/ptx/launch.h"

#include <inttypes.h>

#define UNKNOWN SWP_PTX_UNKNOWN_SIZE

/* Of an expectation that is computed nothing is said in another launch: it may be another one there. */
static void report(swp_ptx_run *run, const swp_ptx_equation *equation,
                   const swp_ptx_equation *other, bool unsure, const char *detail)
{
    const swp_ptx_finding finding = {.kind = SWP_ARRIVALS,
                                     .at = equation->insn,
                                     .other = other->insn,
                                     .detail = detail,
                                     .hint = "expect what the boxes of the tensor maps hold",
                                     .unsure = unsure,
                                     .ends = true};
    const bool computed = equation->computed || other->computed;
    if (!run->elsewhere)
        swp_ptx_report(run, finding);
    else if (!computed && !run->contradiction.detail)
        run->contradiction = finding;
}

/* Whether a host that gives each launch maps of its own cannot make two expectations agree. */
static bool is_of_one_launch(const swp_ptx_run *run, const swp_ptx_equation *other)
{
    return !other->computed && other->run == run->equations->run;
}

/* The last expectation that says something of the same maps, or itself: there is none. */
static const swp_ptx_equation *related_to(const swp_ptx_equations *equations,
                                          const swp_ptx_equation *equation)
{
    for (size_t i = equations->count; i-- > 0;)
        if (!equations->items[i].computed && swp_ptx_share_map(&equations->items[i], equation))
            return &equations->items[i];
    return equation;
}

/* Whether what follows from all that was said follows from this launch. */
static bool all_are_of_one_launch(const swp_ptx_run *run)
{
    for (size_t i = 0; i < run->equations->count; i++)
        if (!run->equations->items[i].computed && !run->equations->items[i].stated &&
            run->equations->items[i].run != run->equations->run)
            return false;
    return true;
}

/* Empty: no box is stated. */
static swp_status name_stated(const swp_ptx_run *run, char **out)
{
    swp_text text = {.ctx = run->outer};
    const char *before = "";
    for (size_t i = 0; i < run->equations->count; i++) {
        const swp_audit_box *box = run->equations->items[i].stated;
        if (!box)
            continue;
        swp_text_format(&text, "%s", before);
        swp_ptx_name_param(&text, box->param, box->byte);
        swp_text_format(&text, ": %" PRId64 " bytes", box->bytes);
        before = ", ";
    }
    return swp_text_end(&text, out, NULL);
}

/* The same behind what else is named, up to a comma; empty: no box is stated. */
static swp_status name_stated_too(const swp_ptx_run *run, char **out)
{
    char *stated = NULL;
    SWP_TRY(name_stated(run, &stated));
    return *stated ? swp_format(run->outer, out, ", and the boxes that are stated (%s)", stated)
                   : swp_format(run->outer, out, "%s", "");
}

static swp_status report_implied(swp_ptx_run *run, const swp_ptx_equation *equation, int64_t bytes)
{
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated_too(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "by what other phases expect of the same tensor maps%s%s the copies of "
                       "this phase bring %" PRId64 " bytes together; it expects %" PRId64,
                       stated, *stated ? "," : "", bytes, equation->bytes));
    report(run, equation, related_to(run->equations, equation),
           equation->computed || !all_are_of_one_launch(run), text);
    return SWP_OK;
}

static swp_status report_pair(swp_ptx_run *run, const swp_ptx_equation *equation,
                              const swp_ptx_equation *other)
{
    char *text = NULL;
    SWP_TRY(swp_format(run->outer, &text,
                       "the copies of these two phases cannot both bring the bytes that are "
                       "expected of them: %" PRId64 " of %d here, %" PRId64 " of %d there",
                       equation->bytes, (int)equation->count, other->bytes, (int)other->count));
    report(run, equation, other, equation->computed || !is_of_one_launch(run, other), text);
    return SWP_OK;
}

swp_status swp_ptx_report_size(swp_ptx_run *run, const swp_ptx_equation *equation)
{
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated_too(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "the %" PRId64 " bytes that are expected here of %d copies, and what other "
                       "phases expect of the same tensor maps%s, leave no multiple of 16 bytes "
                       "for the box of some map",
                       equation->bytes, (int)equation->count, stated));
    report(run, equation, related_to(run->equations, equation),
           equation->computed || !all_are_of_one_launch(run), text);
    return SWP_OK;
}

static swp_status report_stated(swp_ptx_run *run, const swp_ptx_equation *equation, int64_t bytes)
{
    static const swp_ptx_equation nothing = {.insn = -1};
    char *text = NULL;
    char *stated = NULL;
    SWP_TRY(name_stated(run, &stated));
    SWP_TRY(swp_format(run->outer, &text,
                       "by the boxes that are stated (%s) the copies of this phase bring %" PRId64
                       " bytes together; it expects %" PRId64,
                       stated, bytes, equation->bytes));
    report(run, equation, &nothing, equation->computed, text);
    return SWP_OK;
}

swp_status swp_ptx_check_equation(swp_ptx_run *run, const swp_ptx_equation *equation, bool *agrees)
{
    const swp_ptx_equations *equations = run->equations;
    int64_t implied = UNKNOWN;
    bool exact = true;
    const int64_t stated = swp_ptx_stated_bytes(equations, equation);
    *agrees = false;
    if (stated != UNKNOWN && stated != equation->bytes)
        return report_stated(run, equation, stated);
    const swp_ptx_equation *other = NULL;
    for (size_t i = 0; i < equations->count; i++)
        if (!equations->items[i].stated && swp_ptx_contradict(&equations->items[i], equation) &&
            (!other || is_of_one_launch(run, &equations->items[i])))
            other = &equations->items[i];
    if (other)
        return report_pair(run, equation, other);
    if (!equation->computed)
        SWP_TRY(swp_ptx_follow_bytes(run->ctx, equations, equation, &implied, &exact));
    *agrees = implied == UNKNOWN || (exact && implied == equation->bytes);
    return *agrees ? SWP_OK : report_implied(run, equation, implied);
}
