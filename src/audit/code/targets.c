/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the labels of branches by name, and what leaves a function elsewhere than at its end. */
#include "audit/code/targets.h"

#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(swp_slice a, swp_slice b)
{
    const size_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter ? memcmp(a.start, b.start, shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_labels(const void *a, const void *b)
{
    const swp_code_label *first = a;
    const swp_code_label *second = b;
    const int order = compare_names(first->name, second->name);
    return order ? order : (first->line > second->line) - (first->line < second->line);
}

static swp_status sort_labels(swp_context *ctx, const char *file, swp_machine_code *code)
{
    swp_code_label *labels = code->labels.items;
    if (code->labels.count)
        qsort(labels, code->labels.count, sizeof *labels, compare_labels);
    for (size_t i = 1; i < code->labels.count; i++)
        if (swp_code_slice_same(labels[i - 1].name, labels[i].name))
            return swp_error(ctx, SWP_E0813, (swp_place){file, labels[i].line, 1},
                             "give every label a name of its own",
                             "the label %.*s stands twice, first in line %d",
                             SWP_SLICE_FORMAT(labels[i].name), labels[i - 1].line);
    return SWP_OK;
}

static const swp_code_label *label_of(const swp_machine_code *code, swp_slice name)
{
    size_t low = 0;
    size_t high = code->labels.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_names(code->labels.items[middle].name, name);
        if (order == 0)
            return &code->labels.items[middle];
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

static swp_status resolve_all(swp_context *ctx, const char *file, swp_machine_code *code)
{
    SWP_TRY(sort_labels(ctx, file, code));
    for (size_t i = 0; i < code->insns.count; i++) {
        swp_insn *insn = &code->insns.items[i];
        if (!insn->target_name.length)
            continue;
        const swp_code_label *label = label_of(code, insn->target_name);
        if (!label)
            return swp_error(ctx, SWP_E0813, (swp_place){file, insn->line, 1},
                             "is the file cut short?", "there is no label %.*s to branch to",
                             SWP_SLICE_FORMAT(insn->target_name));
        insn->target = label->insn;
    }
    return SWP_OK;
}

/* Padding may follow the end. */
static const swp_insn *last_of(const swp_machine_code *code, const swp_function *function)
{
    int i = function->end - 1;
    while (i > function->first && code->insns.items[i].kind == SWP_INSN_NOTHING)
        i--;
    return i >= function->first ? &code->insns.items[i] : NULL;
}

/* Control leaves a function by its end only. */
static swp_status check_function(swp_context *ctx, const char *file, const swp_machine_code *code,
                                 const swp_function *function)
{
    if (function->first < 0)
        return SWP_OK;
    const swp_insn *last = last_of(code, function);
    const int line = last ? last->line : function->line;
    /* Bytes at the end of a function are unknown where anything comes to them. */
    const bool ends =
        last && (last->kind == SWP_INSN_END || last->kind == SWP_INSN_JUMP ||
                 last->kind == SWP_INSN_RETURN || swp_code_slice_starts(last->text, "."));
    if (!ends)
        return swp_error(ctx, SWP_E0813, (swp_place){file, line, 1}, "is the file cut short?",
                         "%.*s does not end: no %s follows its last instruction",
                         SWP_SLICE_FORMAT(function->name), code->judged ? "s_endpgm" : "EXIT");
    for (int i = function->first; i < function->end; i++) {
        const int target = code->insns.items[i].target;
        if (target != SWP_NO_TARGET && (target < function->first || target >= function->end))
            return swp_error(ctx, SWP_E0813, (swp_place){file, code->insns.items[i].line, 1},
                             "is the file cut short?", "this branch leaves %.*s",
                             SWP_SLICE_FORMAT(function->name));
    }
    return SWP_OK;
}

swp_status swp_code_resolve_targets(swp_context *ctx, const char *file, swp_machine_code *code)
{
    SWP_TRY(resolve_all(ctx, file, code));
    for (size_t f = 0; f < code->functions.count; f++)
        SWP_TRY(check_function(ctx, file, code, &code->functions.items[f]));
    return SWP_OK;
}
