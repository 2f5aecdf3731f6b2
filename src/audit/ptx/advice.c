/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fences and barriers that may go, and waits and scopes that may be weaker: the kernel is edited and judged again, innermost
 * loops first, and what holds stays. So all that is advised holds at once.
 */
#include "audit/ptx/advice.h"

#include "audit/ptx/windows.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 8 /* groups that a wait is tried to leave */ };

typedef struct edit {
    int insn;
    int depth; /* loops that it is in */
    swp_ptx_insn before;
    int64_t count; /* of a wait for groups, as it was */
    bool changed;
} edit;

typedef struct edit_list {
    edit *items;
    size_t count;
    size_t capacity;
} edit_list;

typedef struct advisor {
    const swp_ptx_exploration *of;
    swp_ptx_module *module;
    size_t assumptions;
    swp_ptx_judge_again *judge;
    bool tells_by_memory;
    bool stores_globals;
    edit_list edits;
} advisor;

static swp_status holds(const advisor *a, bool *out)
{
    size_t assumptions = 0;
    swp_context *within = swp_context_within(a->of->ctx);
    *out = false;
    if (!within)
        return swp_pass_on(a->of->ctx, swp_why_none(a->of->ctx));
    const swp_status status = a->judge(within, a->of, out, &assumptions);
    swp_context_free(within);
    *out = *out && status == SWP_OK && assumptions <= a->assumptions;
    return swp_ends_work(status) ? swp_pass_on(a->of->ctx, status) : SWP_OK;
}

/* --- what may be edited --- */

static swp_ptx_operand *count_of(const advisor *a, const swp_ptx_insn *insn)
{
    const bool waits = insn->kind == SWP_PTX_COPY_WAIT || insn->kind == SWP_PTX_BULK_WAIT ||
                       insn->kind == SWP_PTX_WGMMA_WAIT;
    for (int i = insn->first; i < insn->end && waits; i++)
        if (a->module->operands.items[i].atom == SWP_PTX_NUMBER)
            return &a->module->operands.items[i];
    return NULL;
}

/* Of one work group alone `.cluster` and `.cta` name the same threads. */
static bool is_too_wide(const advisor *a, const swp_ptx_insn *insn)
{
    const bool orders = insn->kind == SWP_PTX_ARRIVE || insn->kind == SWP_PTX_ARRIVE_EXPECT ||
                        insn->kind == SWP_PTX_WAIT;
    return orders && swp_ptx_has(insn->name, "cluster") && swp_ptx_cluster_size(a->of->kernel) == 1;
}

/* That it may go is to be tried. Threads of a warp may need a barrier of theirs to go on in step, as `.aligned` asks. */
static swp_status may_go(const advisor *a, int insn, bool *may)
{
    const swp_ptx_insn *of = &a->module->insns.items[insn];
    const bool local = swp_ptx_has(of->name, "shared::cta");
    bool orders = false;
    *may = false;
    switch (of->kind) {
    case SWP_PTX_FENCE_PROXY:
        *may = local || !(a->stores_globals || a->tells_by_memory);
        return SWP_OK;
    case SWP_PTX_WGMMA_FENCE:
    case SWP_PTX_COPY_WAIT:
    case SWP_PTX_COPY_WAIT_ALL:
    case SWP_PTX_WGMMA_WAIT:
        *may = true;
        return SWP_OK;
    case SWP_PTX_BULK_WAIT:
        *may = swp_ptx_has(of->name, "read");
        return SWP_OK;
    case SWP_PTX_BARRIER:
        if (a->tells_by_memory || of->has_results || swp_code_slice_starts(of->name, "barrier"))
            return SWP_OK;
        SWP_TRY(swp_ptx_orders_globals(a->of->ctx, a->module, a->of->kernel, insn, &orders));
        *may = !orders;
        return SWP_OK;
    default:
        return SWP_OK;
    }
}

static int depth_of(const advisor *a, int insn)
{
    int depth = 0;
    for (int i = insn; i < a->of->kernel->end; i++) {
        const swp_ptx_insn *of = &a->module->insns.items[i];
        depth += of->kind == SWP_PTX_BRANCH && of->target <= insn;
    }
    return depth;
}

static int compare_edits(const void *a, const void *b)
{
    const edit *first = a;
    const edit *second = b;
    return first->depth != second->depth ? second->depth - first->depth
                                         : first->insn - second->insn;
}

static int compare_places(const void *a, const void *b)
{
    return ((const edit *)a)->insn - ((const edit *)b)->insn;
}

static swp_status collect(advisor *a)
{
    for (int i = a->of->kernel->first; i < a->of->kernel->end; i++) {
        const swp_ptx_insn *insn = &a->module->insns.items[i];
        const swp_ptx_operand *count = count_of(a, insn);
        edit added = {.insn = i, .before = *insn, .count = count ? count->value : 0};
        bool may = false;
        SWP_TRY(may_go(a, i, &may));
        if (!may && !is_too_wide(a, insn))
            continue;
        added.depth = depth_of(a, i);
        SWP_TRY(SWP_PUSH(a->of->ctx, &a->edits, added));
    }
    if (a->edits.count)
        qsort(a->edits.items, a->edits.count, sizeof *a->edits.items, compare_edits);
    return SWP_OK;
}

/* --- as weak as it may be --- */

static swp_status try_to_remove(const advisor *a, edit *e)
{
    bool may = false;
    bool fine = false;
    /* What is gone by now may have been the other barrier that orders the same. */
    SWP_TRY(may_go(a, e->insn, &may));
    if (!may)
        return SWP_OK;
    a->module->insns.items[e->insn].kind = SWP_PTX_NOTHING;
    SWP_TRY(holds(a, &fine));
    e->changed = fine;
    if (!fine)
        a->module->insns.items[e->insn] = e->before;
    return SWP_OK;
}

static swp_status try_counts(const advisor *a, edit *e)
{
    swp_ptx_operand *count = count_of(a, &e->before);
    bool fine = count;
    while (fine && count->value < MOST_COUNT) {
        count->value++;
        SWP_TRY(holds(a, &fine));
        if (!fine)
            count->value--;
    }
    e->changed = count && count->value != e->count;
    return SWP_OK;
}

static swp_status weaken(const advisor *a, edit *e)
{
    e->changed = is_too_wide(a, &e->before);
    if (!e->changed)
        SWP_TRY(try_to_remove(a, e));
    return e->changed ? SWP_OK : try_counts(a, e);
}

static void restore(const advisor *a)
{
    for (size_t i = 0; i < a->edits.count; i++) {
        const edit *e = &a->edits.items[i];
        swp_ptx_operand *count = count_of(a, &e->before);
        a->module->insns.items[e->insn] = e->before;
        if (count)
            count->value = e->count;
    }
}

/* --- in words --- */

/* `mbarrier.arrive.release.cluster...` with `.cta` in its place. */
static swp_status write_narrower(const advisor *a, const edit *e, char **out)
{
    const swp_slice text = e->before.text;
    const size_t wide = sizeof ".cluster" - 1;
    for (size_t i = 0; i + wide < text.length; i++)
        if (memcmp(text.start + i, ".cluster.", wide + 1) == 0)
            return swp_format(a->of->ctx, out, "%.*s.cta%.*s", (int)i, text.start,
                              (int)(text.length - i - wide), text.start + i + wide);
    return swp_format(a->of->ctx, out, "%.*s", SWP_SLICE_FORMAT(text));
}

/* With the predicate that guards it. */
static swp_status write_count(const advisor *a, const edit *e, int64_t count, char **out)
{
    const swp_slice name = e->before.name;
    const char *start = e->before.text.start;
    return swp_format(a->of->ctx, out, "%.*s %d", (int)(name.start + name.length - start), start,
                      (int)count);
}

static const char *name_of(swp_ptx_kind kind)
{
    switch (kind) {
    case SWP_PTX_FENCE_PROXY:
    case SWP_PTX_WGMMA_FENCE:
        return "fence";
    case SWP_PTX_BARRIER:
        return "barrier";
    default:
        return "wait";
    }
}

static swp_status describe(const advisor *a, const edit *e, swp_audit_advice *out)
{
    swp_context *ctx = a->of->ctx;
    const swp_ptx_operand *count = count_of(a, &e->before);
    char *why = NULL;
    char *instead = NULL;
    if (a->module->insns.items[e->insn].kind == SWP_PTX_NOTHING) {
        SWP_TRY(swp_format(ctx, &why, "nothing needs this %s", name_of(e->before.kind)));
    } else if (count) {
        SWP_TRY(swp_format(ctx, &why, "it may leave %d more in flight",
                           (int)(count->value - e->count)));
        SWP_TRY(write_count(a, e, count->value, &instead));
    } else {
        SWP_TRY(
            swp_format(ctx, &why, "the cluster is one work group: .cta names the same threads"));
        SWP_TRY(write_narrower(a, e, &instead));
    }
    out->why = why;
    out->should_be = instead ? instead : "";
    return swp_ptx_set_site(a->of, e->insn, &out->at);
}

static bool is_wait_for_copies(const edit *e)
{
    return e->before.kind == SWP_PTX_COPY_WAIT || e->before.kind == SWP_PTX_COPY_WAIT_ALL;
}

static swp_status tell(const advisor *a)
{
    static const char memory[] = "what it advises of waits for copies: that the kernel writes no "
                                 "global memory which these copies may still read";
    bool waits = false;
    for (size_t i = 0; i < a->edits.count; i++) {
        swp_audit_advice advice = {.should_be = ""};
        if (!a->edits.items[i].changed)
            continue;
        waits |= is_wait_for_copies(&a->edits.items[i]);
        SWP_TRY(describe(a, &a->edits.items[i], &advice));
        SWP_TRY(SWP_PUSH(a->of->ctx, &a->of->told.out->advice, advice));
    }
    return waits && a->stores_globals ? swp_ptx_assume(a->of, -1, memory) : SWP_OK;
}

static swp_status weaken_all(const advisor *a)
{
    for (size_t i = 0; i < a->edits.count; i++)
        SWP_TRY(weaken(a, &a->edits.items[i]));
    qsort(a->edits.items, a->edits.count, sizeof *a->edits.items, compare_places);
    return tell(a);
}

swp_status swp_ptx_advise(const swp_ptx_exploration *t, swp_ptx_module *module, size_t assumptions,
                          swp_ptx_judge_again *judge)
{
    advisor a = {.of = t,
                 .module = module,
                 .assumptions = assumptions,
                 .judge = judge,
                 .tells_by_memory = swp_ptx_tells_by_memory(module, t->kernel),
                 .stores_globals = swp_ptx_stores_globals(module, t->kernel)};
    SWP_TRY(collect(&a));
    if (!a.edits.count)
        return SWP_OK;
    const swp_status status = weaken_all(&a);
    restore(&a);
    return status;
}
