/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The front end for NVIDIA's machine code, as cuobjdump -sass and nvdisasm -c write it: functions, labels
 * and addresses.
 */
#include "audit/sass/sass.h"

#include "base/diag.h"
#include "base/names.h"

enum { OLDEST = 80 };

/* Where each instruction of a function stands, for branches to addresses. */
typedef struct addresses {
    uint64_t *items;
    size_t count;
    size_t capacity;
} addresses;

typedef struct reader {
    swp_context *ctx;
    const char *file;
    swp_machine_code *code;
    addresses at; /* of the function's instructions */
    int line;
} reader;

static bool recognises(swp_slice text)
{
    return swp_code_slice_contains(text, "/*0000*/") &&
           (swp_code_slice_contains(text, "code for sm_") ||
            swp_code_slice_contains(text, ".target"));
}

static swp_slice take_line(swp_slice *rest)
{
    size_t length = 0;
    while (length < rest->length && rest->start[length] != '\n')
        length++;
    const swp_slice line = {rest->start, length};
    *rest = swp_code_slice_after(*rest, length + (length < rest->length));
    return swp_code_slice_trim(line);
}

/* --- target and functions --- */

static swp_status set_target(reader *r, swp_slice name)
{
    int64_t number = 0;
    size_t digits = 0;
    swp_slice version = swp_code_slice_after(name, sizeof "sm_" - 1);
    while (digits < version.length && version.start[digits] >= '0' && version.start[digits] <= '9')
        digits++;
    version.length = digits;
    if (!swp_code_slice_number(version, &number) || number < OLDEST)
        return swp_error(r->ctx, SWP_E0812, (swp_place){r->file, r->line, 1},
                         "compile for sm_80 or later, which copy to shared memory asynchronously",
                         "this is machine code for %.*s; the audit knows sm_80 and later",
                         SWP_SLICE_FORMAT(name));
    r->code->processor = swp_code_processor_sm(number);
    return swp_code_copy_printable(r->ctx, (swp_slice){name.start, sizeof "sm_" - 1 + digits},
                                   &r->code->target);
}

static swp_function *open_function(const reader *r)
{
    swp_function_list *list = &r->code->functions;
    return list->count ? &list->items[list->count - 1] : NULL;
}

/* The instruction at an address of the function, or behind a label of it; SWP_NO_TARGET: there is none. */
static int find_target(const reader *r, const swp_function *function, swp_slice name)
{
    int64_t address = 0;
    if (swp_code_slice_number(name, &address)) {
        for (size_t a = 0; a < r->at.count; a++)
            if (r->at.items[a] == (uint64_t)address)
                return function->first + (int)a;
        return SWP_NO_TARGET;
    }
    for (size_t i = 0; i < r->code->labels.count; i++) {
        const swp_code_label *label = &r->code->labels.items[i];
        if (label->insn >= function->first && label->insn < function->end &&
            swp_code_slice_same(label->name, name))
            return label->insn;
    }
    return SWP_NO_TARGET;
}

/* Code that executes one barrier, does nothing else of a schedule, and returns. */
static bool only_synchronises(const swp_machine_code *code, int first, int end, uint32_t *number)
{
    int barriers = 0;
    for (int i = first; i >= 0 && i < end; i++) {
        const swp_insn *insn = &code->insns.items[i];
        if (insn->kind == SWP_INSN_END)
            return barriers == 1 && swp_code_slice_starts(insn->text, "RET");
        if (insn->kind == SWP_INSN_BARRIER) {
            barriers++;
            *number = insn->value_number;
        } else if (insn->kind != SWP_INSN_VECTOR || insn->value != SWP_SASS_NONE) {
            return false;
        }
    }
    return false;
}

/* Code up to the function's end that is about registers alone, such as the slow way of a division. */
static bool only_computes(const reader *r, const swp_function *function, int first)
{
    if (first == SWP_NO_TARGET)
        return false;
    for (int i = first; i < function->end; i++) {
        const swp_insn *insn = &r->code->insns.items[i];
        const bool branches = insn->kind == SWP_INSN_JUMP || insn->kind == SWP_INSN_BRANCH;
        const bool returns = insn->kind == SWP_INSN_END && swp_code_slice_starts(insn->text, "RET");
        if (branches && find_target(r, function, insn->target_name) < first)
            return false;
        if (!branches && !returns && insn->kind != SWP_INSN_NOTHING &&
            insn->kind != SWP_INSN_VECTOR)
            return false;
        if (insn->value != SWP_SASS_NONE)
            return false;
    }
    return true;
}

/* Threads that are not converged execute a barrier in a piece of code of their own. */
static void read_calls(reader *r, const swp_function *function)
{
    for (int i = function->first; i < function->end; i++) {
        swp_insn *insn = &r->code->insns.items[i];
        uint32_t number = 0;
        if (insn->value != SWP_SASS_CALLS || insn->kind != SWP_INSN_VECTOR)
            continue;
        const int target = find_target(r, function, insn->target_name);
        insn->target_name.length = 0;
        if (only_computes(r, function, target))
            insn->value = SWP_SASS_NONE;
        if (!only_synchronises(r->code, target, function->end, &number))
            continue;
        insn->kind = SWP_INSN_BARRIER;
        insn->value = SWP_SASS_NONE;
        insn->value_number = number;
    }
}

/* Branches are to addresses, or to labels, which are resolved for all languages alike. */
static swp_status close_function(reader *r)
{
    swp_function *function = open_function(r);
    if (!function)
        return SWP_OK;
    function->end = (int)r->code->insns.count;
    read_calls(r, function);
    for (int i = function->first; i < function->end; i++) {
        swp_insn *insn = &r->code->insns.items[i];
        int64_t address = 0;
        if (!swp_code_slice_number(insn->target_name, &address))
            continue;
        insn->target = find_target(r, function, insn->target_name);
        insn->target_name.length = 0;
        if (insn->target == SWP_NO_TARGET)
            return swp_error(r->ctx, SWP_E0813, (swp_place){r->file, insn->line, 1},
                             "is the file cut short?",
                             "no instruction stands at the address that this branches to");
    }
    return SWP_OK;
}

static swp_status begin_function(reader *r, swp_slice name)
{
    SWP_TRY(close_function(r));
    const swp_function function = {.name = name,
                                   .line = r->line,
                                   .first = (int)r->code->insns.count,
                                   .end = (int)r->code->insns.count,
                                   .workgroup = 1,
                                   .packed_ids = true};
    swp_function_list *functions = &r->code->functions;
    r->at.count = 0;
    return SWP_PUSH(r->ctx, functions, function);
}

/* --- instructions --- */

static swp_status add_insn(reader *r, uint64_t address, swp_insn insn)
{
    addresses *at = &r->at;
    SWP_TRY(SWP_PUSH(r->ctx, at, address));
    return SWP_PUSH(r->ctx, &r->code->insns, insn);
}

/* A branch to one of several places is a branch to each in turn, and a jump to the last. */
static swp_status add_table(reader *r, uint64_t address, swp_insn insn)
{
    swp_slice targets = insn.target_name;
    insn.value = SWP_SASS_NONE;
    while (targets.length) {
        insn.target_name = swp_code_slice_trim(swp_code_slice_take_until(&targets, ','));
        insn.kind = targets.length ? SWP_INSN_BRANCH : SWP_INSN_JUMP;
        SWP_TRY(add_insn(r, address, insn));
    }
    return SWP_OK;
}

/* A comment with the address, the instruction, a semicolon; other lines are its encoding. */
static swp_status add_line(reader *r, swp_slice line)
{
    size_t end = 2;
    uint64_t address = 0;
    while (end < line.length && line.start[end] != '*') {
        const char c = line.start[end++];
        const bool decimal = c >= '0' && c <= '9';
        if (!decimal && !(c >= 'a' && c <= 'f'))
            return SWP_OK;
        address = address * 16 + (uint64_t)(decimal ? c - '0' : c - 'a' + 10);
    }
    if (end + 2 > line.length)
        return SWP_OK;
    swp_slice rest = swp_code_slice_trim(swp_code_slice_after(line, end + 2));
    const swp_slice text = swp_code_slice_take_until(&rest, ';');
    if (!text.length || !open_function(r))
        return SWP_OK;
    swp_insn insn;
    swp_sass_decode(text, r->line, &insn);
    return insn.value == SWP_SASS_TABLE ? add_table(r, address, insn) : add_insn(r, address, insn);
}

static swp_status add_label(reader *r, swp_slice line)
{
    const swp_slice name = {line.start, line.length - 1};
    if (swp_code_slice_starts(name, ".text."))
        return begin_function(r, swp_code_slice_after(name, sizeof ".text." - 1));
    const swp_code_label label = {name, r->line, (int)r->code->insns.count};
    const bool is_of_code = swp_code_slice_starts(name, ".L_") || swp_code_slice_starts(name, "$");
    return is_of_code ? SWP_PUSH(r->ctx, &r->code->labels, label) : SWP_OK;
}

static swp_status read_line(reader *r, swp_slice line)
{
    swp_slice rest = line;
    const swp_slice word = swp_code_slice_take_word(&rest);
    if (swp_code_slice_starts(line, "/*"))
        return add_line(r, line);
    if (swp_code_slice_starts(line, "code for sm_"))
        return set_target(r, swp_code_slice_after(line, sizeof "code for " - 1));
    if (swp_code_slice_is(word, ".target") && swp_code_slice_starts(rest, "sm_"))
        return set_target(r, rest);
    if (swp_code_slice_starts(line, "Function :"))
        return begin_function(
            r, swp_code_slice_trim(swp_code_slice_after(line, sizeof "Function :" - 1)));
    if (line.length > 1 && line.start[line.length - 1] == ':' && !rest.length)
        return add_label(r, line);
    return SWP_OK;
}

static swp_status read_code(swp_context *ctx, swp_slice text, const char *file,
                            swp_machine_code *out)
{
    reader r = {.ctx = ctx, .file = file, .code = out};
    *out = (swp_machine_code){.target = "sm_80",
                              .processor = SWP_PROCESSOR_SM_80,
                              .counter_max = {SWP_SASS_MOST_GROUPS, SWP_SASS_MOST_GROUPS}};
    while (text.length) {
        r.line++;
        SWP_TRY(read_line(&r, take_line(&text)));
    }
    return close_function(&r);
}

const swp_front_end swp_sass_front_end = {"SASS", recognises, read_code};
