/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of PTX: guards, operands, labels and the branches to them. */
#include "audit/ptx/reader.h"

#include "base/diag.h"

#include <string.h>

/* --- operands --- */

static const char *const specials[SWP_PTX_SPECIALS] = {"%tid.x",
                                                       "%tid.y",
                                                       "%tid.z",
                                                       "%ntid.x",
                                                       "%ntid.y",
                                                       "%ntid.z",
                                                       "%ctaid.x",
                                                       "%ctaid.y",
                                                       "%ctaid.z",
                                                       "%nctaid.x",
                                                       "%nctaid.y",
                                                       "%nctaid.z",
                                                       "%laneid",
                                                       "%lanemask_eq",
                                                       "%lanemask_le",
                                                       "%lanemask_lt",
                                                       "%lanemask_ge",
                                                       "%lanemask_gt",
                                                       "%cluster_ctaid.x",
                                                       "%cluster_ctaid.y",
                                                       "%cluster_ctaid.z",
                                                       "%cluster_nctaid.x",
                                                       "%cluster_nctaid.y",
                                                       "%cluster_nctaid.z",
                                                       "%clusterid.x",
                                                       "%clusterid.y",
                                                       "%clusterid.z",
                                                       "%nclusterid.x",
                                                       "%nclusterid.y",
                                                       "%nclusterid.z",
                                                       "%cluster_ctarank",
                                                       "%cluster_nctarank",
                                                       "%is_explicit_cluster"};

static swp_status name_operand(swp_ptx_reader *r, swp_slice name, swp_ptx_operand *out)
{
    int found = -1;
    for (int i = 0; i < SWP_PTX_SPECIALS; i++)
        if (swp_code_slice_is(name, specials[i])) {
            *out = (swp_ptx_operand){.atom = SWP_PTX_SPECIAL, .reg = i};
            return SWP_OK;
        }
    *out = (swp_ptx_operand){.atom = SWP_PTX_REGISTER};
    SWP_TRY(swp_ptx_look_up(r, SWP_PTX_REGISTERS, r->scope, name, &out->reg));
    if (out->reg >= 0)
        return SWP_OK;
    SWP_TRY(swp_ptx_look_up(r, SWP_PTX_VARIABLES, r->scope, name, &found));
    if (found >= 0) {
        const bool shared = r->variables.items[found].sizing != SWP_PTX_NOT_SHARED;
        *out = (swp_ptx_operand){.atom = shared ? SWP_PTX_VARIABLE : SWP_PTX_SINK, .reg = found};
        return SWP_OK;
    }
    SWP_TRY(swp_ptx_look_up(r, SWP_PTX_PARAMS, r->scope, name, &found));
    if (found >= 0) {
        *out = (swp_ptx_operand){.atom = SWP_PTX_PARAM, .reg = found};
        return SWP_OK;
    }
    const bool dotted = memchr(name.start, '.', name.length) != NULL;
    if (name.start[0] == '%' && !dotted)
        return swp_ptx_declare_register(r, r->function_scope, name, &out->reg);
    *out = (swp_ptx_operand){.atom = SWP_PTX_SINK};
    return SWP_OK;
}

static bool read_number(swp_slice text, int64_t *out)
{
    while (text.length && (text.start[text.length - 1] == 'U'))
        text.length--;
    return swp_code_slice_number(text, out);
}

/* A number, a float, or a name. */
static swp_status read_atom(swp_ptx_reader *r, swp_slice word, swp_ptx_operand *out)
{
    *out = (swp_ptx_operand){.atom = SWP_PTX_NUMBER};
    if (read_number(word, &out->value))
        return SWP_OK;
    out->atom = SWP_PTX_SINK;
    if (word.start[0] >= '0' && word.start[0] <= '9')
        return SWP_OK;
    return swp_code_slice_is(word, "_") ? SWP_OK : name_operand(r, word, out);
}

typedef struct operand_place {
    int group;
    int braces;
    bool address;
    bool negative;
    bool inverted;
    bool adds;     /* the next number is added to the last operand */
    bool follows;  /* something of the same operand stands before */
    bool computed; /* the group is an expression that is not followed */
} operand_place;

/* An expression of constants, but for sums: its value is not followed. */
static void spoil_group(swp_ptx_operands *list, size_t first, operand_place *at)
{
    at->computed = true;
    for (size_t i = first; i < list->count; i++)
        if (list->items[i].group == at->group)
            list->items[i].atom = SWP_PTX_SINK;
}

static swp_status add_atom(swp_ptx_reader *r, swp_slice word, size_t first, operand_place *at)
{
    swp_ptx_operand atom;
    swp_ptx_operands *list = &r->module->operands;
    SWP_TRY(read_atom(r, word, &atom));
    if (at->negative)
        atom.value = (int64_t)(0 - (uint64_t)atom.value);
    if ((at->adds && atom.atom != SWP_PTX_NUMBER) ||
        (at->negative && atom.atom == SWP_PTX_VARIABLE))
        spoil_group(list, first, at);
    if (at->computed)
        atom.atom = SWP_PTX_SINK;
    if (at->adds && list->count > first) {
        swp_ptx_operand *last = &list->items[list->count - 1];
        last->value = (int64_t)((uint64_t)last->value + (uint64_t)atom.value);
    } else {
        atom.group = at->group;
        atom.address = at->address;
        atom.negated = at->inverted;
        SWP_TRY(SWP_PUSH(r->ctx, list, atom));
    }
    at->negative = at->inverted = at->adds = false;
    at->follows = true;
    return SWP_OK;
}

static void take_mark(char c, operand_place *at)
{
    const bool separates = strchr(",{}[]", c) != NULL;
    at->adds |= c == '+' || (c == '-' && at->follows);
    at->follows &= !separates;
    at->braces += (c == '{') - (c == '}');
    at->address = c == '[' || (at->address && c != ']');
    at->negative |= c == '-';
    at->inverted |= c == '!';
    /* In brackets or braces a comma separates parts of one operand. */
    if (c == ',' && at->braces == 0 && !at->address) {
        at->group++;
        at->computed = false;
    }
}

/* `|` stands between two results. */
static bool is_operator(char c, const operand_place *at)
{
    return strchr("*/%<>&^~?()=", c) != NULL || (c == '|' && at->group > 0);
}

static swp_status read_operands(swp_ptx_reader *r, swp_slice text)
{
    operand_place at = {0};
    swp_ptx_operands *list = &r->module->operands;
    const size_t first = list->count;
    size_t i = 0;
    while (i < text.length) {
        size_t length = 0;
        while (i + length < text.length && swp_ptx_is_name(text.start[i + length]))
            length++;
        if (length)
            SWP_TRY(add_atom(r, (swp_slice){text.start + i, length}, first, &at));
        else if (is_operator(text.start[i], &at))
            spoil_group(list, first, &at);
        else
            take_mark(text.start[i], &at);
        i += length ? length : 1;
    }
    return SWP_OK;
}

/* --- instructions --- */

static swp_status read_guard(swp_ptx_reader *r, swp_slice *text, swp_ptx_insn *insn)
{
    swp_ptx_operand guard;
    insn->guard = -1;
    if (!swp_code_slice_starts(*text, "@"))
        return SWP_OK;
    *text = swp_code_slice_after(*text, 1);
    swp_slice word = swp_code_slice_take_word(text);
    insn->guard_negated = swp_code_slice_starts(word, "!");
    word = swp_code_slice_after(word, insn->guard_negated);
    if (!word.length)
        return swp_ptx_cut_short(r, "a guard names no predicate");
    SWP_TRY(name_operand(r, word, &guard));
    if (guard.atom != SWP_PTX_REGISTER)
        return swp_ptx_cut_short(r, "a guard names no predicate");
    insn->guard = guard.reg;
    return SWP_OK;
}

static swp_status add_insn(swp_ptx_reader *r, swp_slice text, int line)
{
    swp_ptx_module *module = r->module;
    swp_ptx_insn insn = {.text = text,
                         .line = line,
                         .target = -1,
                         .scope = r->scope,
                         .place = r->source,
                         .caller = r->caller};
    swp_slice rest = text;
    SWP_TRY(read_guard(r, &rest, &insn));
    insn.name = swp_code_slice_take_word(&rest);
    swp_ptx_classify(&insn);
    insn.first = (int)module->operands.count;
    if (insn.kind != SWP_PTX_BRANCH && insn.kind != SWP_PTX_UNSUPPORTED)
        SWP_TRY(read_operands(r, rest));
    insn.end = (int)module->operands.count;
    const int groups = insn.end > insn.first ? module->operands.items[insn.end - 1].group + 1 : 0;
    if (groups < swp_ptx_least_operands(insn.kind))
        insn.kind = SWP_PTX_UNSUPPORTED;
    if (insn.kind == SWP_PTX_BRANCH)
        insn.name = rest;
    return SWP_PUSH(r->ctx, &module->insns, insn);
}

swp_status swp_ptx_read_insn(swp_ptx_reader *r)
{
    swp_slice text = {0};
    const int line = r->line;
    SWP_TRY(swp_ptx_take_statement(r, &text));
    return r->in_kernel && text.length ? add_insn(r, text, line) : SWP_OK;
}

swp_status swp_ptx_add_label(swp_ptx_reader *r, swp_slice name)
{
    int number = 0;
    swp_ptx_numbers *labels = &r->labels;
    if (!r->in_kernel)
        return SWP_OK;
    SWP_TRY(swp_ptx_declare(r, SWP_PTX_LABELS, r->scope, name, (int)labels->count, &number));
    if (number != (int)labels->count)
        return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, r->line, 1},
                         "give every label a name of its own", "the label %.*s stands twice",
                         SWP_SLICE_FORMAT(name));
    return SWP_PUSH(r->ctx, labels, (int64_t)r->module->insns.count);
}

swp_status swp_ptx_resolve_branches(swp_ptx_reader *r, const swp_ptx_kernel *kernel)
{
    for (int i = kernel->first; i < kernel->end; i++) {
        swp_ptx_insn *insn = &r->module->insns.items[i];
        int label = -1;
        if (insn->kind != SWP_PTX_BRANCH)
            continue;
        if (insn->name.length)
            SWP_TRY(swp_ptx_look_up(r, SWP_PTX_LABELS, insn->scope, insn->name, &label));
        if (label < 0)
            return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, insn->line, 1},
                             "is the file cut short?", "there is no label %.*s to branch to",
                             SWP_SLICE_FORMAT(insn->name));
        insn->target = (int)r->labels.items[label];
        if (insn->target < kernel->end)
            r->module->insns.items[insn->target].is_target = true;
    }
    return SWP_OK;
}
