/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which findings are one fault: compilers unroll loops and instantiate templates, and each copy of the code is found by itself.
 * Copies have the lines of one source; where these are not known, instructions of the same names behind synchronisation of the
 * same names.
 */
#include "audit/ptx/report.h"

#include "base/text.h"

#include <string.h>

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_source(const swp_audit_site *a, const swp_audit_site *b)
{
    return a->source_line == b->source_line && a->caller_line == b->caller_line &&
           is_same_text(a->source, b->source) && is_same_text(a->caller, b->caller);
}

static bool synchronises(const swp_ptx_insn *insn)
{
    return insn->kind > SWP_PTX_LOAD_PARAM && insn->kind != SWP_PTX_LOAD &&
           insn->kind != SWP_PTX_STORE && insn->kind != SWP_PTX_ATOMIC &&
           insn->kind != SWP_PTX_LDMATRIX && insn->kind != SWP_PTX_STMATRIX &&
           insn->kind != SWP_PTX_WGMMA;
}

/* What orders threads next to an instruction, in one direction of the text. */
typedef struct neighbour {
    swp_slice name; /* empty: nothing does in its scope */
    int between;    /* instructions of the same name as the first one */
} neighbour;

static neighbour neighbour_of(const swp_ptx_module *module, int insn, int step)
{
    const swp_ptx_insn *insns = module->insns.items;
    neighbour found = {{0}, 0};
    for (int i = insn + step; i >= 0 && i < (int)module->insns.count; i += step) {
        if (insns[i].scope < insns[insn].scope)
            break;
        if (synchronises(&insns[i])) {
            found.name = insns[i].name;
            break;
        }
        found.between += swp_code_slice_same(insns[i].name, insns[insn].name);
    }
    return found;
}

static bool is_same_neighbour(const swp_ptx_module *module, int a, int b, int step)
{
    const neighbour of_a = neighbour_of(module, a, step);
    const neighbour of_b = neighbour_of(module, b, step);
    return of_a.between == of_b.between && swp_code_slice_same(of_a.name, of_b.name);
}

/* The first copy has something else before it, and the last one behind it. */
static bool is_copy(const swp_ptx_module *module, int a, int b)
{
    if (a < 0 || b < 0 || a == b)
        return a == b;
    return swp_code_slice_same(module->insns.items[a].name, module->insns.items[b].name) &&
           (is_same_neighbour(module, a, b, -1) || is_same_neighbour(module, a, b, 1));
}

/* Instances of one template are copies of each other, and a kernel of itself. */
static bool is_instance(const swp_audit_report *report, int a, int b)
{
    const char *name = report->kernels.items[a].name;
    const char *other = report->kernels.items[b].name;
    const size_t length = swp_ptx_template_length(name);
    return a == b || (length == swp_ptx_template_length(other) && name[length] == '<' &&
                      strncmp(name, other, length) == 0);
}

/* One fence, before the barrier or the arrival that is the next of both, mends both. */
static bool lack_one_fence(const swp_ptx_module *module, const swp_ptx_finding *a,
                           const swp_ptx_finding *b)
{
    const int first = a->other < b->other ? a->other : b->other;
    const int last = a->other < b->other ? b->other : a->other;
    if (a->at != b->at || first < 0 || (a->kind != SWP_UNFENCED && a->kind != SWP_FENCE_PLACE))
        return false;
    for (int i = first; i < last; i++)
        if (synchronises(&module->insns.items[i]))
            return false;
    return true;
}

static bool is_one(const swp_ptx_module *module, const swp_audit_report *report,
                   const swp_ptx_findings *found, size_t i, size_t j)
{
    const swp_audit_finding *a = &report->findings.items[i];
    const swp_audit_finding *b = &report->findings.items[j];
    if (a->kind != b->kind || a->certain != b->certain ||
        !is_instance(report, a->kernel, b->kernel))
        return false;
    if (a->kernel == b->kernel && lack_one_fence(module, &found->items[i], &found->items[j]))
        return true;
    if (a->at.source && b->at.source)
        return is_same_source(&a->at, &b->at) && is_same_source(&a->other, &b->other);
    return !a->at.source && !b->at.source &&
           is_copy(module, found->items[i].at, found->items[j].at) &&
           is_copy(module, found->items[i].other, found->items[j].other);
}

static bool is_before(const swp_audit_finding *a, const swp_audit_finding *b)
{
    if (a->certain != b->certain)
        return a->certain;
    return a->kernel != b->kernel ? a->kernel < b->kernel : a->at.line < b->at.line;
}

static void sort(swp_ptx_findings *found, swp_audit_finding_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        for (size_t j = i; j > 0 && is_before(&list->items[j], &list->items[j - 1]); j--) {
            const swp_audit_finding finding = list->items[j];
            const swp_ptx_finding raw = found->items[j];
            list->items[j] = list->items[j - 1];
            found->items[j] = found->items[j - 1];
            list->items[j - 1] = finding;
            found->items[j - 1] = raw;
        }
}

static bool is_about(const swp_audit_finding *finding, int kernel)
{
    bool is = finding->kernel == kernel;
    for (size_t i = 0; i < finding->also.count; i++)
        is |= finding->also.items[i].kernel == kernel;
    return is;
}

static void count_findings(const swp_audit_finding_list *list, int kernel, swp_audit_kernel *out)
{
    for (size_t i = 0; i < list->count; i++) {
        const bool counts = is_about(&list->items[i], kernel);
        out->faults += counts && list->items[i].certain;
        out->unknown += counts && !list->items[i].certain;
    }
}

static bool meets(swp_ptx_kind kind)
{
    return kind == SWP_PTX_BARRIER || kind == SWP_PTX_WAIT || kind == SWP_PTX_CLUSTER_WAIT;
}

/* Whether threads meet between the two: if so it is the next pass that comes too early, else what stands behind in the text. */
static bool is_met_between(const swp_ptx_module *module, const swp_ptx_finding *found)
{
    const int first = found->at < found->other ? found->at : found->other;
    const int last = found->at < found->other ? found->other : found->at;
    for (int i = first + 1; i < last; i++)
        if (meets(module->insns.items[i].kind))
            return true;
    return false;
}

/* Of two accesses in no order a run finds each before the other. */
static bool is_mirrored(const swp_ptx_findings *found, const swp_audit_finding_list *list, size_t i,
                        size_t j)
{
    return swp_ptx_is_race(found->items[i].kind) && swp_ptx_is_race(found->items[j].kind) &&
           found->items[i].at == found->items[j].other &&
           found->items[i].other == found->items[j].at &&
           found->items[i].at != found->items[i].other &&
           list->items[i].certain == list->items[j].certain;
}

static swp_status tell_both(swp_context *ctx, const swp_ptx_finding *found, swp_audit_finding *out)
{
    const bool writes = out->kind == SWP_WRITE_RACE;
    static const char said[] = "nothing orders";
    char *text = NULL;
    if (strncmp(found->detail, said, sizeof said - 1) == 0)
        return SWP_OK;
    SWP_TRY(swp_format(ctx, &text, "nothing orders these two: %s%s",
                       writes ? "either write may be the last one"
                              : "the read may come before the write is done, or the write before "
                                "the read is",
                       out->detail + strlen(found->detail)));
    out->detail = text;
    return SWP_OK;
}

/* Each pair of accesses that nothing orders is told once. */
static swp_status drop_mirrored(swp_context *ctx, const swp_ptx_module *module,
                                swp_ptx_findings *found, swp_audit_finding_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const swp_ptx_finding *of = &found->items[i];
        const bool is_told = (of->at > of->other) != is_met_between(module, of);
        size_t mirror = 0;
        while (mirror < list->count && !is_mirrored(found, list, i, mirror))
            mirror++;
        const bool has_mirror = mirror < list->count;
        if (has_mirror && is_told) {
            SWP_TRY(tell_both(ctx, of, &list->items[i]));
            swp_ptx_join_finding(&found->items[i], &found->items[mirror]);
        } else if (has_mirror) {
            list->items[i].kernel = -1;
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kernel < 0)
            continue;
        list->items[kept] = list->items[i];
        found->items[kept++] = found->items[i];
    }
    list->count = found->count = kept;
    return SWP_OK;
}

swp_status swp_ptx_fold_findings(swp_context *ctx, const swp_ptx_module *module,
                                 swp_ptx_findings *found, swp_audit_report *out)
{
    swp_audit_finding_list *list = &out->findings;
    size_t kept = 0;
    SWP_TRY(drop_mirrored(ctx, module, found, list));
    sort(found, list);
    for (size_t i = 0; i < list->count; i++) {
        size_t j = 0;
        while (j < kept && !is_one(module, out, found, j, i))
            j++;
        if (j == kept) {
            list->items[kept] = list->items[i];
            found->items[kept++] = found->items[i];
            continue;
        }
        const swp_audit_pair pair = {list->items[i].at, list->items[i].other,
                                     list->items[i].kernel};
        SWP_TRY(SWP_PUSH(ctx, &list->items[j].also, pair));
    }
    list->count = found->count = kept;
    for (size_t i = 0; i < kept; i++) {
        SWP_TRY(swp_ptx_tell_threads(ctx, module, &found->items[i], &list->items[i]));
        SWP_TRY(swp_ptx_write_hint(ctx, module, &found->items[i], &list->items[i].hint));
    }
    for (size_t k = 0; k < out->kernels.count; k++)
        count_findings(list, (int)k, &out->kernels.items[k]);
    return SWP_OK;
}
